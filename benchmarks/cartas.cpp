// Random games of Cartas in C++, as fast as we know how to write them by hand: what Ludoteca's compiled rules are measured
// against. Each action is uniform over all legal plays and the pass.
//
//   g++ -std=c++17 -O3 -march=native -fno-tree-vectorize -o cartas cartas.cpp
//   ./cartas SECONDS
//
// Prints one JSON object; `void_share` and `mean_points` are there to compare statistics, not speeds.
//
// Why it is fast:
//  * A hand is 56 bits, four a value, so that values with so many cards, runs of them and what is higher than the last play
//    are a few instructions each. The n-th card of a set is one instruction (pdep).
//  * Nothing is listed: what may be played is counted, a number is drawn, and that play is made. For an answer only the
//    values with which one can end are looked at; for a lead all runs are counted in one pass over the values.
//  * A deal is three random halves: a coin for every card at once, then the few cards too many or too few are put right.

#include <immintrin.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace {

using u64 = std::uint64_t;

constexpr int PLAYERS = 4, HAND = 14, TERMINAL = -4;
constexpr u64 DECK = (u64{1} << 56) - 1, KINGS = u64{15} << 52, ONES = 0x11111111111111;

// xoshiro256+ (Blackman and Vigna); a number below n from its upper 32 bits.
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
    int draw(int n) { return static_cast<int>(((word() >> 32) * static_cast<u64>(n)) >> 32); }
};

struct Game {
    u64 hands[PLAYERS], play, higher;
    int sizes[PLAYERS], length, each, passes, mover;
};

// WAYS[each][suits] and CHOICE[each][suits][n]: the ways to take so many of some suits, by their highest suit.
struct Tables {
    std::uint8_t ways[5][16] = {}, choice[5][16][6] = {};

    Tables() {
        for (int suits = 0; suits < 16; suits++)
            for (int some = 0; some < 16; some++)
                if ((some & ~suits) == 0) {
                    const int each = __builtin_popcount(some);
                    choice[each][suits][ways[each][suits]++] = static_cast<std::uint8_t>(some);
                }
    }
};
const Tables TABLES;

int count(u64 cards) { return __builtin_popcountll(cards); }
u64 nth(u64 cards, int n) { return _pdep_u64(u64{1} << n, cards); }

u64 counts(u64 cards) {
    const u64 pairs = cards - ((cards >> 1) & 0x55555555555555);
    return (pairs & 0x33333333333333) + ((pairs >> 2) & 0x33333333333333);
}
u64 having(u64 cards, int each) { return ((counts(cards) + (8 - each) * ONES) >> 3) & ONES; }
int ways(u64 hand, int each, int at) { return TABLES.ways[each][(hand >> at) & 15]; }
u64 choice(u64 hand, int each, int at, int n) { return static_cast<u64>(TABLES.choice[each][(hand >> at) & 15][n]) << at; }

u64 runs(u64 values, int length) {
    u64 ends = values;
    for (int i = 1; i < length; i++) ends = (ends << 4) & values;
    return ends;
}

// The combinations of a shape that answer a play.
struct Answers {
    u64 hand, higher, ends;
    int length, each;

    Answers(u64 hand, u64 higher, int length, int each) : hand(hand), higher(higher), length(length), each(each) {
        ends = length * each == 1 ? 0 : runs(having(hand, each), length) & having(hand & higher, 1);
    }
    int ending(int end) const {
        int n = ways(hand, each, end) - ways(hand & ~higher, each, end);
        for (int i = 1; i < length; i++) n *= ways(hand, each, end - 4 * i);
        return n;
    }
    int number() const {
        if (length * each == 1) return count(hand & higher);
        int n = 0;
        for (u64 e = ends; e; e &= e - 1) n += ending(__builtin_ctzll(e));
        return n;
    }
    u64 make(int n, Generator& generator) const {
        if (length * each == 1) return nth(hand & higher, n);
        u64 e = ends;
        for (; (n -= ending(__builtin_ctzll(e))) >= 0;) e &= e - 1;
        const int end = __builtin_ctzll(e), low = ways(hand & ~higher, each, end);
        u64 cards = choice(hand, each, end, low + generator.draw(ways(hand, each, end) - low));
        for (int i = 1; i < length; i++)
            cards |= choice(hand, each, end - 4 * i, generator.draw(ways(hand, each, end - 4 * i)));
        return cards;
    }
};

u64 random_answer(const Game& game, u64 hand, Generator& generator) {
    const Answers same(hand, game.higher, game.length, game.each);
    const int n_same = same.number();
    if (game.play & ~KINGS) {
        if (n_same == 0) return 0;
        const int n = generator.draw(1 + n_same);
        return n < n_same ? same.make(n, generator) : 0;
    }
    const int kings = count(game.play), pairs = kings + 2;
    const u64 fours = kings == 1 ? having(hand, 4) : 0;
    const Answers doubles(kings < 4 ? hand : 0, DECK, pairs, 2);
    const int n_fours = count(fours), n_doubles = doubles.number();
    int n = generator.draw(1 + n_same + n_fours + n_doubles);
    if (n < n_same) return same.make(n, generator);
    if ((n -= n_same) < n_fours) return 15 * nth(fours, n);
    return (n -= n_fours) < n_doubles ? doubles.make(n, generator) : 0;
}

// Runs of three values or more that end with a value: the ways at it and the one before times the runs ending before those.
int number_of_runs(u64 hand, int each) {
    if (!runs(having(hand, each), 3)) return 0;
    int n = 0, before = 0, ending = 0, ending_before = 0;
    for (int at = 0; at < 56; at += 4) {
        const int here = ways(hand, each, at);
        n += here * before * ending_before;
        ending_before = ending;
        ending = here * (1 + ending);
        before = here;
    }
    return n;
}

u64 make_run(u64 hand, int each, int n, Generator& generator) {
    int before = 0, ending = 0, ending_before = 0, at = 0, here = ways(hand, each, 0);
    for (; n >= here * before * ending_before; here = ways(hand, each, at += 4)) {
        n -= here * before * ending_before;
        ending_before = ending;
        ending = here * (1 + ending);
        before = here;
    }
    int length = 3;
    for (int number = here * before * ways(hand, each, at - 8); n >= number; length++) {
        n -= number;
        number *= ways(hand, each, at - 4 * length);
    }
    u64 cards = 0;
    for (int i = 0; i < length; i++)
        cards |= choice(hand, each, at - 4 * i, generator.draw(ways(hand, each, at - 4 * i)));
    return cards;
}

u64 make_set(u64 hand, int n) {
    for (int at = 0;; at += 4)
        for (int each = 1; each <= 4; each++) {
            const int here = ways(hand, each, at);
            if (n < here) return choice(hand, each, at, n);
            n -= here;
        }
}

u64 random_lead(u64 hand, Generator& generator) {
    const int sets = count(having(hand, 1)) + 2 * count(having(hand, 2)) + 4 * count(having(hand, 3)) + 8 * count(having(hand, 4));
    const int sequences = number_of_runs(hand, 1), doubles = number_of_runs(hand, 2);
    int n = generator.draw(1 + sets + sequences + doubles);
    if (n < sets) return make_set(hand, n);
    if ((n -= sets) < sequences) return make_run(hand, 1, n, generator);
    return (n -= sequences) < doubles ? make_run(hand, 2, n, generator) : 0;
}

u64 choose(u64 cards, int wanted, Generator& generator) {
    u64 chosen = cards & (generator.word() >> 8);
    int n = count(chosen);
    for (; n > wanted; n--) chosen ^= nth(chosen, generator.draw(n));
    for (const int all = count(cards); n < wanted; n++) chosen |= nth(cards ^ chosen, generator.draw(all - n));
    return chosen;
}

void deal(Game& game, Generator& generator) {
    const u64 half = choose(DECK, 2 * HAND, generator);
    game.hands[0] = choose(half, HAND, generator);
    game.hands[1] = half ^ game.hands[0];
    game.hands[2] = choose(DECK ^ half, HAND, generator);
    game.hands[3] = DECK ^ half ^ game.hands[2];
    for (int& size : game.sizes) size = HAND;
    game.play = game.higher = 0, game.length = game.each = game.passes = game.mover = 0;
}

void apply(Game& game, u64 cards) {
    const int player = game.mover;
    game.mover = (player + 1) % PLAYERS;
    if (!cards) {
        if (++game.passes == PLAYERS - 1) game.play = 0;
        if (game.passes == PLAYERS) game.mover = TERMINAL;
        return;
    }
    game.hands[player] ^= cards;
    game.play = cards;
    game.higher = DECK & (~u64{0} << 1 << (63 - __builtin_clzll(cards)));
    game.each = static_cast<int>(counts(cards) >> (__builtin_ctzll(cards) & ~3) & 15);
    game.length = count(having(cards, 1));
    game.passes = 0;
    if ((game.sizes[player] -= count(cards)) == 0) game.mover = TERMINAL;
}

int play(Game& game, Generator& generator) {
    int moves = 0;
    for (; game.mover != TERMINAL; moves++) {
        const u64 hand = game.hands[game.mover];
        apply(game, game.play ? random_answer(game, hand, generator) : random_lead(hand, generator));
    }
    return moves;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fprintf(stderr, "usage: %s SECONDS\n", argv[0]);
        return 1;
    }
    using Clock = std::chrono::steady_clock;
    const double limit = std::atof(argv[1]);
    static Game game;
    Generator generator;
    long games = 0, moves = 0, voids = 0, points = 0;
    double seconds = 0;
    for (const auto start = Clock::now(); seconds < limit;
         seconds = std::chrono::duration<double>(Clock::now() - start).count())
        for (const long stop = games + 500; games < stop; games++) {
            deal(game, generator);
            moves += play(game, generator);
            if (game.passes == PLAYERS)
                voids++;
            else
                for (const int size : game.sizes) points += size;
        }
    std::printf("{\"games\": %ld, \"moves\": %ld, \"seconds\": %.3f, \"games_per_s\": %.0f, \"moves_per_s\": %.0f, "
                "\"void_share\": %.4f, \"mean_points\": %.3f}\n",
                games, moves, seconds, games / seconds, moves / seconds, static_cast<double>(voids) / games,
                static_cast<double>(points) / (games - voids));
}
