// Random games of Metro on 8 x 8 in C++, as fast as we know how to write them by hand: what Ludoteca's compiled rules are
// measured against. One player: the next tile is any of the ten, its place and rotation uniform over those there are. Four:
// the stack is shuffled, each action uniform over the places of the tile in hand and declining it.
//
//   g++ -std=c++17 -O3 -march=native -fno-tree-vectorize -o metro metro.cpp
//   ./metro PLAYERS SECONDS
//
// Prints one JSON object; `mean_points` is there to compare statistics, not speeds.
//
// Why it is fast:
//  * The 60 spaces are one word: the free ones, those where a tile may go, those where a tile fits by its borders. The n-th
//    member of a set is two instructions (pdep, tzcnt); the rotation is found without a branch.
//  * Only the two lanes where a chain of tracks ends know of it: the other end, how long it is, train or station. A tile
//    joins four pairs of chains with eight loads and eight stores, and nothing is ever traced.
//  * One random word makes two choices. The stack is drawn from at random, which needs no shuffle and no reset.

#include <immintrin.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

using u8 = std::uint8_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

constexpr int SIDE = 8, ROW = SIDE + 2, SPACES = 60, LANES = 4 * ROW * ROW, IDS = 10, FACES = 24, STACK = 60;
constexpr int DX[4] = {-1, 0, 1, 0}, DY[4] = {0, 1, 0, -1};  // W, S, E, N
constexpr u8 TILES[IDS][4] = {{0, 0, 0, 0}, {0, 0, 1, 3}, {0, 1, 1, 2}, {0, 2, 0, 2}, {0, 2, 3, 3},
                              {1, 1, 1, 1}, {1, 2, 2, 3}, {1, 3, 1, 3}, {2, 2, 2, 2}, {3, 3, 3, 3}};
constexpr u8 ROTATIONS[IDS] = {1, 4, 4, 2, 4, 1, 4, 2, 1, 1}, COPIES[IDS] = {2, 2, 2, 2, 2, 2, 4, 3, 4, 2};
// A chain's word: the lane at its other end, how many lanes it has, END (a train or a station is there), CENTRE (of the two
// kinds of station), the owner of the train.
constexpr u32 LANE = 511, LENGTHS = 512, LENGTH = 511 * LENGTHS, END = 1u << 18, CENTRE = 1u << 19, OWNER = 1u << 20;
constexpr int OWNED[4][8] = {{4, 7, 11, 16, 20, 23, 27, 32}, {3, 8, 12, 15, 19, 24, 28, 31},
                             {1, 6, 10, 13, 18, 21, 25, 30}, {2, 5, 9, 14, 17, 22, 26, 29}};

// xoshiro256+ (Blackman and Vigna).
struct Generator {
    u64 s[4] = {0x9e3779b97f4a7c15, 0xbf58476d1ce4e5b9, 0x94d049bb133111eb, 42};

    u64 word() {
        const u64 sum = s[0] + s[3], t = s[1] << 17;
        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= t;
        s[3] = (s[3] << 45) | (s[3] >> 19);
        return sum;
    }
};
int below(u32 bits, int n) { return static_cast<int>((static_cast<u64>(bits) * static_cast<u64>(n)) >> 32); }

struct Tables {
    u64 fits[IDS][4] = {}, fits_face[FACES] = {}, beside[SPACES] = {}, rim = 0;
    u8 face[IDS][4] = {}, stack[STACK];
    std::uint16_t out[FACES][4], lane[SPACES];
    u32 chains[LANES];

    static bool centre(int x, int y) { return (x == 4 || x == 5) && (y == 4 || y == 5); }
    static int lane_at(int x, int y, int side) { return 4 * (ROW * y + x) + side; }

    explicit Tables(int players) {
        int number[ROW][ROW], n = 0, faces = 0, tiles = 0;
        for (auto& row : number)
            for (int& space : row) space = -1;
        for (int y = 1; y <= SIDE; y++)
            for (int x = 1; x <= SIDE; x++)
                if (!centre(x, y)) number[y][x] = n++;
        for (int id = 0; id < IDS; id++)
            for (int r = 0; r < ROTATIONS[id]; r++, faces++) {
                face[id][r] = static_cast<u8>(faces);
                for (int side = 0; side < 4; side++) {
                    const int exit = (side + TILES[id][(side - r + 4) & 3]) & 3;
                    out[faces][side] = static_cast<std::uint16_t>(4 * (ROW * DY[exit] + DX[exit]) + (exit ^ 2));
                }
                for (int i = 0; i < COPIES[id]; i++) stack[tiles++] = static_cast<u8>(faces);
            }
        for (u32 i = 0; i < LANES; i++) chains[i] = i + LENGTHS;
        for (int y = 1; y <= SIDE; y++)
            for (int x = 1; x <= SIDE; x++)
                if (number[y][x] >= 0) add_space(number, x, y);
        add_trains(players);
    }

    void add_space(const int number[ROW][ROW], int x, int y) {
        const int space = number[y][x];
        unsigned edges = 0;
        lane[space] = static_cast<std::uint16_t>(lane_at(x, y, 0));
        for (int side = 0; side < 4; side++) {
            const int nx = x + DX[side], ny = y + DY[side];
            if (number[ny][nx] >= 0) beside[space] |= u64{1} << number[ny][nx];
            if (nx < 1 || nx > SIDE || ny < 1 || ny > SIDE) edges |= 1u << side;
            if (centre(nx, ny)) chains[lane_at(nx, ny, side ^ 2)] |= END | CENTRE;
        }
        if (edges) rim |= u64{1} << space;
        for (int id = 0; id < IDS; id++)
            for (int r = 0; r < ROTATIONS[id]; r++)
                if (!straight_out(id, r, edges)) {
                    fits[id][r] |= u64{1} << space;
                    fits_face[face[id][r]] |= u64{1} << space;
                }
    }

    static bool straight_out(int id, int r, unsigned edges) {
        for (int side = 0; side < 4; side++)
            if ((edges >> side & 1) && (edges >> ((side + TILES[id][(side - r + 4) & 3]) & 3) & 1)) return true;
        return false;
    }

    // Trains are numbered counter-clockwise from the top right corner: top, left, bottom, right.
    void add_trains(int players) {
        for (int k = 0; k < SIDE; k++) {
            add_train(players, k + 1, SIDE - k, 1, 3);
            add_train(players, k + SIDE + 1, 1, k + 1, 0);
            add_train(players, k + 2 * SIDE + 1, k + 1, SIDE, 1);
            add_train(players, k + 3 * SIDE + 1, SIDE, SIDE - k, 2);
        }
    }

    void add_train(int players, int train, int x, int y, int side) {
        u32 owner = 0;
        for (u32 player = 0; players == 4 && player < 4; player++)
            for (const int mine : OWNED[player])
                if (mine == train) owner = player;
        chains[lane_at(x, y, side)] |= END | OWNER * owner;
        chains[lane_at(x + DX[side], y + DY[side], side ^ 2)] |= END;
    }
};

struct Game {
    u32 chains[LANES];
    u64 free, frontier;
    int points[4];
    u8 faces[SPACES], hands[4];
};

class Player {
  public:
    explicit Player(int players) : tables(players) { std::memcpy(stack, tables.stack, STACK); }

    int alone() {
        start();
        int moves = 0;
        for (u64 bits = generator.word();; moves++) {
            const int id = below(static_cast<u32>(bits >> 32), IDS);
            const u64* fits = tables.fits[id];
            const int a = count(fits[0]), b = a + count(fits[1]), c = b + count(fits[2]), all = c + count(fits[3]);
            if (all == 0) return moves;
            int n = below(static_cast<u32>(bits), all);
            const int rotation = (n >= a) + (n >= b) + (n >= c);
            const int before[4] = {0, a, b, c};
            bits = generator.word();
            place(nth(game.frontier & fits[rotation], n - before[rotation]), tables.face[id][rotation]);
        }
    }

    int four() {
        start();
        left = STACK;
        for (u8& hand : game.hands) hand = draw_tile(generator.word() >> 32);
        int moves = 0;
        for (int mover = 0, placed = 0; placed < STACK; mover = (mover + 1) & 3) {
            if (game.hands[mover] == NONE) continue;
            u8 tile = game.hands[mover];
            u64 bits = generator.word();
            u64 where = places(tile);
            int n = below(static_cast<u32>(bits), __builtin_popcountll(where) + (left > 0));
            if (n == __builtin_popcountll(where)) {
                moves++;
                tile = draw_tile(bits >> 32);
                where = places(tile);
                n = below(static_cast<u32>(generator.word()), __builtin_popcountll(where));
            } else
                game.hands[mover] = left > 0 ? draw_tile(bits >> 32) : NONE;
            place(nth(where, n), tile);
            moves++, placed++;
        }
        return moves;
    }

    int points(int player) const { return game.points[player]; }

  private:
    static constexpr u8 NONE = 255;
    Tables tables;
    Game game;
    Generator generator;
    u8 stack[STACK];
    int left = 0;

    void start() {
        std::memcpy(game.chains, tables.chains, sizeof game.chains);
        game.free = (u64{1} << SPACES) - 1;
        game.frontier = tables.rim;
        std::memset(game.points, 0, sizeof game.points);
    }
    int count(u64 fits) const { return __builtin_popcountll(game.frontier & fits); }
    u64 places(u8 face) const {
        const u64 where = game.frontier & tables.fits_face[face];
        return where ? where : game.frontier;
    }
    static int nth(u64 set, int n) { return static_cast<int>(__builtin_ctzll(_pdep_u64(u64{1} << n, set))); }
    u8 draw_tile(u64 bits) {
        const int at = below(static_cast<u32>(bits), left--);
        const u8 tile = stack[at];
        stack[at] = stack[left];
        stack[left] = tile;
        return tile;
    }

    void place(int space, u8 face) {
        game.faces[space] = face;
        game.free ^= u64{1} << space;
        game.frontier = (game.frontier | tables.beside[space]) & game.free;
        const u32 lane = tables.lane[space];
        for (u32 side = 0; side < 4; side++) join(lane + side, lane + static_cast<std::int16_t>(tables.out[face][side]));
    }
    void join(u32 in, u32 out) {
        const u32 before = game.chains[in], after = game.chains[out];
        game.chains[before & LANE] = after + (before & LENGTH);
        game.chains[after & LANE] = before + (after & LENGTH);
        if (before & after & END) {
            const int length = static_cast<int>(((before & LENGTH) + (after & LENGTH)) / LENGTHS) - 1;
            game.points[before / OWNER] += after & CENTRE ? 2 * length : length;
        }
    }
};

}  // namespace

int main(int argc, char** argv) {
    const int players = argc == 3 ? std::atoi(argv[1]) : 0;
    if (players != 1 && players != 4) {
        std::fprintf(stderr, "usage: %s PLAYERS SECONDS, with 1 or 4 players\n", argv[0]);
        return 1;
    }
    using Clock = std::chrono::steady_clock;
    const double limit = std::atof(argv[2]);
    static Player player(players);
    long games = 0, moves = 0, points = 0;
    double seconds = 0;
    for (const auto start = Clock::now(); seconds < limit;
         seconds = std::chrono::duration<double>(Clock::now() - start).count())
        for (const long stop = games + 500; games < stop; games++) {
            moves += players == 1 ? player.alone() : player.four();
            for (int i = 0; i < players; i++) points += player.points(i);
        }
    std::printf("{\"games\": %ld, \"moves\": %ld, \"seconds\": %.3f, \"games_per_s\": %.0f, \"moves_per_s\": %.0f, "
                "\"mean_points\": %.3f}\n",
                games, moves, seconds, games / seconds, moves / seconds, static_cast<double>(points) / games);
}
