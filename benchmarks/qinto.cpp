// Random games of Q!nto Light in C++, as fast as we know how to write them by hand: what Ludoteca's compiled rules are measured
// against. A playout is uniform over distinct single steps: a kind of tile and a cell; a swap; a trade; the end of the turn.
//
//   g++ -std=c++17 -O3 -march=native -fno-tree-vectorize -o qinto qinto.cpp
//   ./qinto light PLAYERS SECONDS
//
// Prints one JSON object; `moves` counts steps, `mean_tiles_on_grid` (at the end of a game) is there to compare statistics, not
// speeds.
//
// Why it is fast:
//  * A run of adjacent tiles is 15 bits: colours and shapes that it shows, whether one is shown twice, its length. Two tables
//    of 64 and 1024 words give the set of kinds that fit beside it; a cell of the rim has four runs around it in one
//    word. Laying a tile joins them and tells the four cells at the ends: nothing is searched.
//  * The step of a turn's beginning is drawn by rejection among all (cell, kind) of the rim; cells that no kind fits are kept
//    apart. Whether a tile may be swapped for a wild is only found out when that is tried.
//  * Hands are sets of kinds, piles are bytes. Between games only the cells that were touched are cleared.

#include <immintrin.h>

#include <algorithm>
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

constexpr int KINDS = 34, FIRST_WILD = 26, TILES = 60, HAND = 5, CELLS = 4096, START = 32 * 64 + 32, ROUNDS = 4;
constexpr u32 SHOWN = 0b011111011111, TWICE = 0b100000100000, LENGTH = 15 << 12;
constexpr u8 SWAPPED = 64;
constexpr u64 EVERY_KIND = (u64{1} << (KINDS + 1)) - 2;

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
    u8 deck[TILES];
    u32 run[128];        // of one tile, SWAPPED or not
    u64 by_colour[64];   // the kinds that fit the colours of a run
    u64 by_shape[1024];  // and its shapes, and its length
    u32 reciprocal[6] = {65536, 65536, 32768, 21846, 16384, 13108};

    static int shape(int kind) {
        constexpr int WILDS[] = {0, 2, 3, 4};
        return kind < 26 ? (kind - 1) / 5 : kind < 30 ? WILDS[kind - 26] : 5;
    }
    static int colour(int kind) { return kind < 26 ? (kind - 1) % 5 : kind >= 30 && kind < 34 ? kind - 29 : 5; }

    static u64 kinds(int (*value)(int), int shown, bool twice) {
        const bool alone = !(shown & (shown - 1));
        if (twice && !alone) return 0;
        const int allowed = twice ? shown : alone ? 31 : 31 & ~shown;
        u64 set = 0;
        for (int kind = 1; kind <= KINDS; kind++)
            if (value(kind) == 5 || allowed >> value(kind) & 1) set |= u64{1} << kind;
        return set;
    }

    Tables() {
        int n = 0;
        for (int kind = 1; kind <= KINDS; kind++) {
            deck[n++] = static_cast<u8>(kind);
            if (kind < FIRST_WILD || kind == KINDS) deck[n++] = static_cast<u8>(kind);
            const int s = shape(kind), c = colour(kind);
            run[kind] = run[kind + SWAPPED] = (c < 5 ? 1u << c : 0) | (s < 5 ? 64u << s : 0) | 1u << 12;
        }
        for (int word = 0; word < 64; word++) by_colour[word] = kinds(colour, word & 31, word > 31);
        for (int word = 0; word < 1024; word++) by_shape[word] = word >> 6 < 5 ? kinds(shape, word & 31, (word & 63) > 31) : 0;
    }
};
const Tables T;

int count(u64 set) { return __builtin_popcountll(set); }
int first(u64 set) { return __builtin_ctzll(set); }
int member(u64 set, int n) { return first(_pdep_u64(u64{1} << n, set)); }

u32 join(u32 a, u32 b) {
    return (((a | b) & (SHOWN | TWICE)) | (((a & b & SHOWN) + SHOWN) & TWICE)) + (a & LENGTH) + (b & LENGTH);
}
u64 fitting(u32 run) { return T.by_colour[run & 63] & T.by_shape[run >> 6]; }
int beside(int cell, int n) { return (cell & 0xfc0) | ((cell + n) & 63); }
int below(int cell, int n) { return (cell + 64 * n) & 0xfff; }

enum Phase { CHOOSING, ADDING, SWAPPING, TRADING };

template <int PLAYERS>
struct Game {
    static constexpr int SHARE = TILES / PLAYERS, END = -1;

    Generator generator;
    // Slot 0 stands for all cells that are not in the rim; nothing is around them and nothing fits.
    u64 around[124] = {}, fits[124] = {}, half[2][124] = {};
    u64 held[PLAYERS], paired[PLAYERS];
    int in_hand[PLAYERS], piled[PLAYERS];
    u16 rim[124], wilds[10], laid_on[TILES];
    u32 n_rim;
    int n_wilds, on_grid;
    int ends[4];
    u8 piles[PLAYERS][SHARE];
    u8 grid[CELLS] = {}, slots[CELLS + 1] = {};
    int player, phase, line, laid, idle;
    bool again, over;

    // The run on one side of a cell has become another one; the one on the other side stays.
    template <int SIDE>
    int tell(int cell, u32 run) {
        constexpr int AXIS = SIDE >= 32;
        const u32 known = slots[cell];
        const u32 fresh = !known;
        n_rim += fresh;
        const u32 slot = known + (n_rim & (0u - fresh));
        slots[cell] = static_cast<u8>(slot);
        rim[slot] = static_cast<u16>(cell);
        const u64 word = around[known], other = half[!AXIS][known];
        around[slot] = (word & ~(u64{0xffff} << SIDE)) | u64{run} << SIDE;
        const u64 kinds = fitting(join(run, word >> (SIDE ^ 16) & 0xffff));
        half[AXIS][slot] = kinds;
        half[!AXIS][slot] = other;
        fits[slot] = kinds & other;
        return cell;
    }

    static u64 fitting_in(u64 word) {
        return fitting(join(word & 0xffff, word >> 16 & 0xffff)) & fitting(join(word >> 32 & 0xffff, static_cast<u32>(word >> 48)));
    }

    void take_off(int cell) {
        const u32 slot = slots[cell], last = n_rim--;
        slots[rim[last]] = static_cast<u8>(slot);
        slots[cell] = 0;
        rim[slot] = rim[last], around[slot] = around[last], fits[slot] = fits[last];
        half[0][slot] = half[0][last], half[1][slot] = half[1][last];
    }

    void connect(int cell, u32 tile, u64 word) {
        const u32 left = word & 0xffff, right = word >> 16 & 0xffff, up = word >> 32 & 0xffff, down = static_cast<u32>(word >> 48);
        const u32 row = join(join(left, tile), right), column = join(join(up, tile), down);
        ends[0] = tell<16>(beside(cell, -1 - static_cast<int>(left >> 12)), row);
        ends[1] = tell<0>(beside(cell, 1 + static_cast<int>(right >> 12)), row);
        ends[2] = tell<48>(below(cell, -1 - static_cast<int>(up >> 12)), column);
        ends[3] = tell<32>(below(cell, 1 + static_cast<int>(down >> 12)), column);
        again |= row >> 12 == 5 || column >> 12 == 5;
    }

    u32 walk(int cell, int columns, int rows) const {
        u32 run = 0;
        for (int at = beside(below(cell, rows), columns); grid[at]; at = beside(below(at, rows), columns))
            run = join(run, T.run[grid[at]]);
        return run;
    }
    u64 around_tile(int cell) const {
        return walk(cell, -1, 0) | walk(cell, 1, 0) << 16 | u64{walk(cell, 0, -1)} << 32 | u64{walk(cell, 0, 1)} << 48;
    }
    u64 swappable(int cell) const {
        return grid[cell] >= SWAPPED ? 0 : fitting_in(around_tile(cell)) & ~(u64{1} << grid[cell]);
    }

    void take(int kind) {
        const u64 bit = u64{1} << kind;
        paired[player] |= held[player] & bit;
        held[player] |= bit;
    }
    void give(int kind) {
        const u64 bit = u64{1} << kind, second = paired[player] & bit;
        paired[player] ^= second;
        held[player] ^= bit ^ second;
    }
    void refill() {
        const int n = std::min(HAND - in_hand[player], piled[player]);
        for (int i = 0; i < n; i++) take(piles[player][--piled[player]]);
        in_hand[player] += n;
    }

    void deal() {
        u8* deck = piles[0];
        std::memcpy(deck, T.deck, TILES);
        for (int i = 0; i < TILES; i += 2) {
            const u64 one = generator.bits() * static_cast<u32>(TILES - i);
            std::swap(deck[i], deck[i + (one >> 32)]);
            const u64 two = (one & 0xffffffff) * static_cast<u32>(TILES - 1 - i);
            std::swap(deck[i + 1], deck[i + 1 + (two >> 32)]);
        }
        for (player = 0; player < PLAYERS; player++) {
            held[player] = paired[player] = 0;
            in_hand[player] = 0, piled[player] = SHARE;
            refill();
        }
        player = static_cast<int>(generator.draw(PLAYERS));
        n_rim = 1, n_wilds = on_grid = idle = 0;
        half[0][0] = half[1][0] = EVERY_KIND;
        rim[1] = START, slots[START] = 1, around[1] = 0, fits[1] = half[0][1] = half[1][1] = EVERY_KIND;
        over = false;
        begin_turn();
    }

    void begin_turn() { phase = CHOOSING, line = 0, laid = 0, again = false; }

    void clear() {
        for (int i = 0; i < on_grid; i++) grid[laid_on[i]] = 0;
        for (u32 i = 1; i <= n_rim; i++) slots[rim[i]] = 0;
    }

    void add(int kind, int cell) {
        if (phase == CHOOSING)
            phase = ADDING;
        else if (!line)
            line = cell == ends[0] || cell == ends[1] ? 1 : 2;
        const u64 word = around[slots[cell]];
        take_off(cell);
        give(kind);
        in_hand[player]--;
        grid[cell] = static_cast<u8>(kind);
        laid_on[on_grid++] = static_cast<u16>(cell);
        if (kind >= FIRST_WILD) wilds[n_wilds++] = static_cast<u16>(cell);
        connect(cell, T.run[kind], word);
        if (line == 1) ends[2] = ends[3] = CELLS;
        if (line == 2) ends[0] = ends[1] = CELLS;
        laid++;
        over = in_hand[player] + piled[player] == 0;
    }

    void swap(int kind, int cell) {
        const bool before = again;
        const int wild = grid[cell];
        grid[cell] = static_cast<u8>(kind >= FIRST_WILD ? kind + SWAPPED : kind);
        if (kind < FIRST_WILD) *std::find(wilds, wilds + n_wilds, cell) = wilds[n_wilds - 1], n_wilds--;
        connect(cell, T.run[kind], around_tile(cell));
        give(kind);
        take(wild);
        again = before;
        phase = SWAPPING;
    }

    void trade(int kind) {
        u8* pile = piles[player];
        std::memmove(pile + 1, pile, static_cast<std::size_t>(piled[player]++));
        pile[0] = static_cast<u8>(kind);
        give(kind);
        in_hand[player]--;
        phase = TRADING;
    }

    void end_turn() {
        refill();
        if (phase == SWAPPING)
            for (int i = 0; i < n_wilds; i++) grid[wilds[i]] &= SWAPPED - 1;
        idle = laid ? 0 : idle + 1;
        over = idle == ROUNDS * PLAYERS;
        if (!again) player = player + 1 < PLAYERS ? player + 1 : 0;
        begin_turn();
    }

    void step() {
        const u64 hand = held[player];
        if (phase == CHOOSING) return choose(hand);
        if (phase == ADDING) {
            const u64 kinds[5] = {fits[slots[ends[0]]] & hand, fits[slots[ends[1]]] & hand, fits[slots[ends[2]]] & hand,
                                  fits[slots[ends[3]]] & hand, 0};
            const int a = count(kinds[0]), b = a + count(kinds[1]), c = b + count(kinds[2]), d = c + count(kinds[3]);
            const int which = static_cast<int>(generator.draw(static_cast<u32>(d) + 1));
            if (which == d) return end_turn();
            const int end = (which >= a) + (which >= b) + (which >= c);
            const int sums[4] = {0, a, b, c};
            return add(member(kinds[end], which - sums[end]), ends[end]);
        }
        if (phase == SWAPPING) {
            u64 kinds[10];
            int total = 1;
            for (int i = 0; i < n_wilds; i++) total += count(kinds[i] = swappable(wilds[i]) & hand);
            int which = static_cast<int>(generator.draw(static_cast<u32>(total)));
            for (int i = 0; i < n_wilds; which -= count(kinds[i]), i++)
                if (which < count(kinds[i])) return swap(member(kinds[i], which), wilds[i]);
            return end_turn();
        }
        const int which = static_cast<int>(generator.draw(static_cast<u32>(count(hand)) + 1));
        if (which == count(hand)) return end_turn();
        trade(member(hand, which));
    }

    // Uniform over adds, swaps, trades and the end: tries one after another of all that there could be.
    void choose(u64 hand) {
        const int kinds = count(hand), cells = static_cast<int>(n_rim), rows = cells + n_wilds;
        for (;;) {
            const int which = static_cast<int>(generator.draw(static_cast<u32>(kinds * (rows + 1) + 1)));
            const int row = static_cast<int>(static_cast<u32>(which) * T.reciprocal[kinds] >> 16), nth = which - row * kinds;
            if (row < cells) {
                const u64 some = fits[row + 1] & hand;
                if (nth < count(some)) return add(member(some, nth), rim[row + 1]);
            } else if (row < rows) {
                const int cell = wilds[row - cells];
                const u64 some = swappable(cell) & hand;
                if (nth < count(some)) return swap(member(some, nth), cell);
            } else if (row == rows) {
                return trade(member(hand, nth));
            } else {
                return end_turn();
            }
        }
    }

    int play() {
        int steps = 0;
        for (deal(); !over; steps++) step();
        clear();
        return steps;
    }
};

template <int PLAYERS>
void run(double limit) {
    using Clock = std::chrono::steady_clock;
    static Game<PLAYERS> game;
    long games = 0, moves = 0, tiles = 0;
    double seconds = 0;
    for (const auto start = Clock::now(); seconds < limit;
         seconds = std::chrono::duration<double>(Clock::now() - start).count())
        for (const long stop = games + 100; games < stop; games++) {
            moves += game.play();
            tiles += game.on_grid;
        }
    std::printf("{\"games\": %ld, \"moves\": %ld, \"seconds\": %.3f, \"games_per_s\": %.0f, \"moves_per_s\": %.0f, "
                "\"mean_tiles_on_grid\": %.3f}\n",
                games, moves, seconds, games / seconds, moves / seconds, static_cast<double>(tiles) / games);
}

}  // namespace

int main(int argc, char** argv) {
    const int players = argc == 4 && !std::strcmp(argv[1], "light") ? std::atoi(argv[2]) : 0;
    if (players < 2 || players > 4) {
        std::fprintf(stderr, "usage: %s light PLAYERS SECONDS\n", argv[0]);
        return 1;
    }
    const double limit = std::atof(argv[3]);
    if (players == 2)
        run<2>(limit);
    else if (players == 3)
        run<3>(limit);
    else
        run<4>(limit);
}
