// Random games of Okupació in C++, as fast as we know how to write them by hand: what `against_cpp.py` measures
// Ludoteca's compiled rules against. Nobody gives up; each move is uniform over the free cells.
//
//   g++ -std=c++17 -O3 -march=native -fno-tree-vectorize -o okupacio okupacio.cpp
//   ./okupacio ROWS COLUMNS COUNTS... PLAYERS SECONDS
//
// ROWS COLUMNS COUNTS... is a board file of the document: how many cells are open, then wall, then open, row after row.
// Prints one JSON object; `mean_cells_first` is there to compare statistics, not speeds.
//
// Why it is fast:
//  * One 64-bit word a cell says what lies around it, and is kept up to date as cells change hands, so that nothing is
//    ever counted. Four bits for each army hold how many of the cell's neighbours it owns, and do not start from 0 but so
//    that their highest bit (NEAR) is set once the army owns enough of them to take the cell; the same number as nobody's
//    count, which never changes, tells where the counts started.
//  * So a cell falls to the mover exactly if the mover's count is NEAR and its owner's count is still where it started
//    (nobody's always is). The table of the rules in those terms, T being the count that is enough:
//        degree                  1   2   3   4
//        T if the cell is free   1   2   2   3
//        T if an army owns it    1   2   3   3     and that army owns none of the neighbours
//    A cell of degree 3 is the only one whose T depends on the owner: all its counts go back by one when it is first taken.
//  * The four neighbours are judged without branches, into a mask, and the loop goes over the bits that are set.
//  * The free cells are a list in any order; each knows its place there, so one is removed by moving the last.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

using u16 = std::uint16_t;
using u64 = std::uint64_t;

constexpr int MAX_PLAYERS = 10;
constexpr int MAX_SIDE = 25;
constexpr int MAX_CELLS = (MAX_SIDE + 1) * (MAX_SIDE + 2);

// The word of a cell, from its lowest bit: ten armies' counts and nobody's, a bit for degree 3, the owner.
constexpr int COUNT_BITS = 4;
constexpr u64 NEAR = 8;
constexpr int NOBODY = COUNT_BITS * MAX_PLAYERS;  // owners are written as the place of their count: 0, 4, .. 36, 40
constexpr int THREE_AT = 44;
constexpr int OWNER_AT = 58;
constexpr u64 ONE_IN_ALL = 0x11111111111;
constexpr int ENOUGH_WHEN_FREE[5] = {8, 1, 2, 2, 3};  // by degree; a cell that has no neighbours never falls

// xoshiro256+ (Blackman and Vigna); a number below n from its upper 32 bits.
struct Generator {
    u64 s[4] = {0x9e3779b97f4a7c15, 0xbf58476d1ce4e5b9, 0x94d049bb133111eb, 42};

    int draw(int n) {
        const u64 bits = (s[0] + s[3]) >> 32, t = s[1] << 17;
        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= t;
        s[3] = (s[3] << 45) | (s[3] >> 19);
        return static_cast<int>((bits * static_cast<u64>(n)) >> 32);
    }
};

// One game. A cell's number is ROW * (row + 1) + column: a row of walls above, one below, and a wall after each row.
struct Game {
    int n_free, players, mover;
    unsigned playing;  // bit set of the armies that have not given up
    int turn;
    int last[MAX_PLAYERS], cells[MAX_PLAYERS], captured[MAX_PLAYERS];
    u16 free[MAX_SIDE * MAX_SIDE];
    u16 place[MAX_CELLS];
    u64 around[MAX_CELLS];
};

struct Board {
    int rows, columns, players;
    std::vector<bool> open;

    bool is_open(int row, int column) const {
        return row >= 0 && row < rows && column >= 0 && column < columns && open[row * columns + column];
    }
    int degree(int row, int column) const {
        return is_open(row - 1, column) + is_open(row + 1, column) + is_open(row, column - 1) + is_open(row, column + 1);
    }
};

// The rules for boards of fewer columns than ROW: a constant, so that neighbours are reached by a constant distance.
template <int ROW>
struct Rules {
    static constexpr int STEPS[4] = {-ROW, -1, 1, ROW};

    static Game setup(const Board& board) {
        Game game{};
        game.players = board.players;
        game.playing = (1u << board.players) - 1;
        for (int i = 0; i < board.players; i++) game.last[i] = i - board.players + 1;
        for (u64& word : game.around) word = static_cast<u64>(NOBODY) << OWNER_AT;
        for (int row = 0; row < board.rows; row++)
            for (int column = 0; column < board.columns; column++)
                if (board.is_open(row, column)) add_open(game, ROW * (row + 1) + column, board.degree(row, column));
        return game;
    }

    static void add_open(Game& game, int cell, int degree) {
        game.around[cell] += ONE_IN_ALL * (NEAR - ENOUGH_WHEN_FREE[degree]) + (static_cast<u64>(degree == 3) << THREE_AT);
        game.place[cell] = static_cast<u16>(game.n_free);
        game.free[game.n_free++] = static_cast<u16>(cell);
    }

    // The start of a game: only the parts of the record that the board uses.
    static void copy(Game& game, const Game& prepared, int rows) {
        const int used = ROW * (rows + 2);
        std::memcpy(&game, &prepared, offsetof(Game, free) + prepared.n_free * sizeof(u16));
        std::memcpy(game.place, prepared.place, used * sizeof(u16));
        std::memcpy(game.around, prepared.around, used * sizeof(u64));
    }

    // The scalars are copied out of the record while a game is played, so that they stay in registers.
    static int play(Game& game, Generator& generator) {
        int n_free = game.n_free, player = game.mover, turn = game.turn;
        const int players = game.players;
        const unsigned playing = game.playing;
        while (n_free) {
            const int cell = game.free[generator.draw(n_free)];
            game.cells[player] += occupy(game, cell, player, n_free);
            game.last[player] = ++turn;
            do player = player + 1 < players ? player + 1 : 0;
            while (!(playing >> player & 1));
        }
        game.n_free = n_free, game.mover = player, game.turn = turn;
        return turn;
    }

    // Gives the number of cells that change hands, the chosen one included.
    static int occupy(Game& game, int cell, int player, int& n_free) {
        const int mine = COUNT_BITS * player;
        const u64 one = u64{1} << mine;
        u64* const around = game.around;
        remove_free(game, cell, n_free);
        around[cell] = first_taken(around[cell]) + owner_change(NOBODY, mine);
        const u64 above = around[cell - ROW] += one;
        const u64 left = around[cell - 1] += one;
        const u64 right = around[cell + 1] += one;
        const u64 below = around[cell + ROW] += one;
        int taken = 1;
        if ((above | left | right | below) & (one * NEAR)) {
            unsigned fall = falls(above, mine) | falls(left, mine) << 1 | falls(right, mine) << 2 | falls(below, mine) << 3;
            for (; fall; fall &= fall - 1, taken++) take(game, cell + STEPS[__builtin_ctz(fall)], player, n_free);
        }
        return taken;
    }

    static unsigned falls(u64 word, int mine) {
        const u64 start = word >> NOBODY, owners = word >> (word >> OWNER_AT);
        return (word >> mine >> 3 & 1) & (((owners ^ start) & 15) == 0);
    }

    static void take(Game& game, int cell, int player, int& n_free) {
        u64* const around = game.around;
        const u64 word = around[cell];
        const int owner = static_cast<int>(word >> OWNER_AT);
        u64 change = u64{1} << (COUNT_BITS * player), now = word + owner_change(owner, COUNT_BITS * player);
        if (owner == NOBODY) {
            now = first_taken(now);
            remove_free(game, cell, n_free);
        } else {
            game.cells[owner / COUNT_BITS]--;
            game.captured[player]++;
            change -= u64{1} << owner;
        }
        around[cell] = now;
        for (const int step : STEPS) around[cell + step] += change;
    }

    static u64 first_taken(u64 word) { return word - (-(word >> THREE_AT & 1) & ONE_IN_ALL); }

    static u64 owner_change(int from, int to) { return static_cast<u64>(to - from) << OWNER_AT; }

    static void remove_free(Game& game, int cell, int& n_free) {
        const u16 hole = game.place[cell], moved = game.free[--n_free];
        game.free[hole] = moved;
        game.place[moved] = hole;
    }
};

template <int ROW>
void run(const Board& board, double limit) {
    using Clock = std::chrono::steady_clock;
    const Game prepared = Rules<ROW>::setup(board);
    static Game game;
    Generator generator;
    long games = 0, moves = 0, cells_first = 0;
    double seconds = 0;
    for (const auto start = Clock::now(); seconds < limit;
         seconds = std::chrono::duration<double>(Clock::now() - start).count())
        for (const long stop = games + 500; games < stop; games++) {
            Rules<ROW>::copy(game, prepared, board.rows);
            moves += Rules<ROW>::play(game, generator);
            cells_first += game.cells[0];
        }
    std::printf("{\"games\": %ld, \"moves\": %ld, \"seconds\": %.3f, \"games_per_s\": %.0f, \"moves_per_s\": %.0f, "
                "\"mean_cells_first\": %.3f}\n",
                games, moves, seconds, games / seconds, moves / seconds, static_cast<double>(cells_first) / games);
}

Board read_board(int n, char** numbers, int players) {
    Board board{std::atoi(numbers[0]), std::atoi(numbers[1]), players, {}};
    for (int i = 2; i < n; i++) board.open.insert(board.open.end(), std::atoi(numbers[i]), i % 2 == 0);
    return board;
}

bool is_valid(const Board& board) {
    return board.rows >= 4 && board.rows <= MAX_SIDE && board.columns >= 4 && board.columns <= MAX_SIDE &&
           board.players >= 2 && board.players <= MAX_PLAYERS &&
           board.open.size() == static_cast<std::size_t>(board.rows * board.columns);
}

}  // namespace

int main(int argc, char** argv) {
    const Board board = argc < 6 ? Board{} : read_board(argc - 3, argv + 1, std::atoi(argv[argc - 2]));
    if (!is_valid(board)) {
        std::fprintf(stderr, "usage: %s ROWS COLUMNS COUNTS... PLAYERS SECONDS\n", argv[0]);
        return 1;
    }
    const double limit = std::atof(argv[argc - 1]);
    if (board.columns < 9)
        run<9>(board, limit);
    else if (board.columns < 16)
        run<16>(board, limit);
    else
        run<MAX_SIDE + 1>(board, limit);
}
