// Random games of Conclave in C++, as fast as we know how to write them by hand: what Ludoteca's compiled rules are measured
// against. A playout is: keep or a legal cession, uniform; then (card, hole), uniform; then a pile, uniform.
//
//   g++ -std=c++17 -O3 -march=native -fno-tree-vectorize -o conclave conclave.cpp
//   ./conclave PLAYERS SECONDS
//
// Prints one JSON object; `moves` counts the choices that are asked for, `mean_followers_first` (the followers of the first
// player at the end) is there to compare statistics, not speeds.
//
// Why it is fast:
//  * The board is kept as sets of cells, one 16-bit set for each magic, each brotherhood and each bit of the influence: a
//    line in contact is looked up by its four bits, its sum is three counts of bits, and whom the emissary wins is one
//    expression, so that nothing branches but on the result.
//  * Followers are a set of 15 bits for each player and magic, and which of them are empty is a bit set as well: a
//    cession moves a word, and the legal ones are one expression.
//  * The piles stay where they are in the shuffled deck. Only the cards that are dealt are drawn, two to a random number.

#include <immintrin.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

constexpr int MAGICS = 6, BROTHERHOODS = 3, FACES = 15, CARDS = 90, HAND = 4;
constexpr u8 BORDER[12] = {0, 1, 2, 3, 4, 7, 8, 11, 12, 13, 14, 15};
constexpr u32 FULL = 0xffff;
constexpr u64 IN_THREE = 0x000100010001;

// xoshiro256's engine; a number below n from 32 of its bits.
struct Generator {
    u64 s[4] = {0x9e3779b97f4a7c15, 0xbf58476d1ce4e5b9, 0x94d049bb133111eb, 42};

    u64 bits() {
        const u64 word = (s[0] + s[3]) >> 32, t = s[1] << 17;
        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= t;
        s[3] = (s[3] << 45) | (s[3] >> 19);
        return word;
    }
    u32 draw(u32 n) { return static_cast<u32>((bits() * n) >> 32); }
};

struct Tables {
    u8 deck[CARDS];
    u8 brotherhood[16];
    u64 weight[16];     // the bits of the influence of a face, in three sets of cells
    u8 run[16][4];      // of the occupied places of a line, those in contact with one
    u16 upright[16];    // places of a line as cells of column 0

    Tables() {
        for (int i = 0; i < CARDS; i++) deck[i] = static_cast<u8>(i / FACES << 4 | i % FACES);
        for (int face = 0; face < 16; face++) {
            const u64 value = face % 5 + 1;
            brotherhood[face] = static_cast<u8>(face / 5);
            weight[face] = (value & 1) | (value >> 1 & 1) << 16 | (value >> 2) << 32;
        }
        for (int line = 0; line < 16; line++) {
            upright[line] = static_cast<u16>((line & 1) | (line & 2) << 3 | (line & 4) << 6 | (line & 8) << 9);
            for (int place = 0; place < 4; place++) {
                int set = 1 << place;
                for (int i = place - 1; i >= 0 && line >> i & 1; i--) set |= 1 << i;
                for (int i = place + 1; i < 4 && line >> i & 1; i++) set |= 1 << i;
                run[line][place] = static_cast<u8>(set);
            }
        }
    }
};
const Tables T;

int count(u64 set) { return __builtin_popcountll(set); }
int first(u32 set) { return __builtin_ctz(set); }
int member(u32 set, int n) { return __builtin_ctz(_pdep_u32(1u << n, set)); }

// A card is 16 * magic + 5 * brotherhood + influence - 1; a pile of followers is 8 * player + magic.
struct Game {
    u8 deck[CARDS];
    u8 board[16];
    u8 hands[4][HAND];
    u16 followers[32];
    u32 holds, occupied;
    u64 influence;
    u16 lies[MAGICS + BROTHERHOODS];
    int top[2], bottom[2];
};

template <int PLAYERS>
struct Rules {
    static constexpr int HALF = 15 + PLAYERS, DEALT = 42 + 6 * PLAYERS;
    static constexpr u32 EVERYONE = PLAYERS == 4 ? 0xffffffff : (1u << 8 * PLAYERS) - 1;

    static void deal(Game& game, Generator& generator) {
        std::memset(&game, 0, sizeof game);
        std::memcpy(game.deck, T.deck, CARDS);
        u8* const deck = game.deck;
        for (int i = 0; i < DEALT; i += 2) {
            const u64 one = generator.bits() * (CARDS - i), two = (one & 0xffffffff) * (CARDS - i - 1);
            std::swap(deck[i], deck[i + (one >> 32)]);
            std::swap(deck[i + 1], deck[i + 1 + (two >> 32)]);
        }
        int last = DEALT;
        for (int i = 0; i < PLAYERS; i++)
            for (int j = 0; j < HAND; j++) game.hands[i][j] = deck[--last];
        for (const u8 cell : BORDER) put(game, deck[--last], cell);
        game.top[0] = HALF, game.bottom[0] = 2 * HALF, game.bottom[1] = HALF;
    }

    static void put(Game& game, u32 card, int cell) {
        const u32 bit = 1u << cell;
        game.board[cell] = static_cast<u8>(card);
        game.occupied |= bit;
        game.influence |= T.weight[card & 15] << cell;
        game.lies[card >> 4] |= bit;
        game.lies[MAGICS + T.brotherhood[card & 15]] |= bit;
    }

    // Gives the number of choices made.
    static int play(Game& game, Generator& generator) {
        int moves = 0, turns_left = 0;
        for (int player = 0;; player = player + 1 < PLAYERS ? player + 1 : 0) {
            const u32 mine = game.holds >> 8 * player & 255;
            const u32 open_to = mine * 0x01010101u & ~game.holds & EVERYONE;
            if (open_to) {
                const u32 which = generator.draw(count(open_to) + 1);
                if (which) cede(game, player, member(open_to, which - 1));
                moves++;
            }
            const u32 holes = FULL & ~game.occupied, which = generator.draw(HAND * count(holes));
            u8& place = game.hands[player][which & 3];
            send(game, player, place, member(holes, which >> 2));
            moves++;
            const bool left = game.top[0] < game.bottom[0], right = game.top[1] < game.bottom[1];
            if (left | right) {
                int pile = !left;
                if (left & right) pile = generator.draw(2), moves++;
                place = game.deck[game.top[pile]++];
                refill(game, pile);
                if (game.top[0] == game.bottom[0] && game.top[1] == game.bottom[1]) turns_left = PLAYERS;
            } else {
                place = 255;
                if (--turns_left == 0) break;
            }
            if (game.occupied == FULL) break;
        }
        for (int i = 0; i < PLAYERS; i++)
            for (const u8 card : game.hands[i])
                if (card != 255) follow(game, i, card);
        return moves;
    }

    static void cede(Game& game, int player, int pile) {
        const int mine = 8 * player + (pile & 7);
        game.followers[pile] = game.followers[mine];
        game.followers[mine] = 0;
        game.holds ^= 1u << pile | 1u << mine;
    }

    static void follow(Game& game, int player, u32 card) {
        const int pile = 8 * player + (card >> 4);
        game.followers[pile] |= 1u << (card & 15);
        game.holds |= 1u << pile;
    }

    static int sum(u64 influence, u32 cells) {
        return count(influence & cells) + 2 * count(influence >> 16 & cells) + 4 * count(influence >> 32 & cells);
    }

    static void send(Game& game, int player, u32 card, int cell) {
        put(game, card, cell);
        const int x = cell & 3, y = cell >> 2;
        const u32 occupied = game.occupied;
        const u32 row = T.run[occupied >> 4 * y & 15][x] << 4 * y;
        const u32 column = T.upright[T.run[_pext_u32(occupied, 0x1111u << x)][y]] << x;
        u32 won = sum(game.influence, row) >= 10 ? row : 0;
        won |= sum(game.influence, column) >= 10 ? column : 0;
        const u32 brothers = game.lies[MAGICS + T.brotherhood[card & 15]];
        won &= (game.lies[card >> 4] | brothers) & ~(1u << cell);
        if (!won) {
            if (occupied != FULL) return;
            won = (15u << 4 * y | 0x1111u << x) & ~brothers;
        }
        for (u32 rest = won; rest; rest &= rest - 1) follow(game, player, game.board[first(rest)]);
        game.occupied &= ~won;
        game.influence &= ~(won * IN_THREE);
        for (u16& cells : game.lies) cells &= ~won;
    }

    static void refill(Game& game, int pile) {
        u32 holes = FULL & ~game.occupied;
        for (int n = count(holes) - 4; n > 0; n--, holes &= holes - 1) {
            if (game.top[pile] == game.bottom[pile]) {
                pile ^= 1;
                if (game.top[pile] == game.bottom[pile]) return;
            }
            put(game, game.deck[game.top[pile]++], first(holes));
        }
    }
};

template <int PLAYERS>
void run(double limit) {
    using Clock = std::chrono::steady_clock;
    static Game game;
    Generator generator;
    long games = 0, moves = 0, followers = 0;
    double seconds = 0;
    for (const auto start = Clock::now(); seconds < limit;
         seconds = std::chrono::duration<double>(Clock::now() - start).count())
        for (const long stop = games + 500; games < stop; games++) {
            Rules<PLAYERS>::deal(game, generator);
            moves += Rules<PLAYERS>::play(game, generator);
            for (int magic = 0; magic < MAGICS; magic++) followers += count(game.followers[magic]);
        }
    std::printf("{\"games\": %ld, \"moves\": %ld, \"seconds\": %.3f, \"games_per_s\": %.0f, \"moves_per_s\": %.0f, "
                "\"mean_followers_first\": %.3f}\n",
                games, moves, seconds, games / seconds, moves / seconds, static_cast<double>(followers) / games);
}

}  // namespace

int main(int argc, char** argv) {
    const int players = argc == 3 ? std::atoi(argv[1]) : 0;
    if (players < 2 || players > 4) {
        std::fprintf(stderr, "usage: %s PLAYERS SECONDS\n", argv[0]);
        return 1;
    }
    const double limit = std::atof(argv[2]);
    if (players == 2)
        run<2>(limit);
    else if (players == 3)
        run<3>(limit);
    else
        run<4>(limit);
}
