// Okupacio: the text game of the assignment, version 2.1.
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <string>
#include <vector>

using namespace std;

const char WALL = '#';
const char FREE = ' ';
const int WIDTH = 13;

struct Army {
    char letter;
    int cells, stolen, waiting;
};

struct Cell {
    int row, col;
};

struct Board {
    int rows, cols;
    vector<string> squares;

    bool inside(int row, int col) const { return row >= 0 && row < rows && col >= 0 && col < cols; }
    char &at(const Cell &c) { return squares[c.row][c.col]; }
    char at(const Cell &c) const { return squares[c.row][c.col]; }
};

void input_ended() {
    cerr << "the input ended before the game did" << endl;
    exit(1);
}

// ----- the board -----

// false if the file cannot be opened or read
bool read_board(const string &name, Board &board) {
    ifstream file(name.c_str());
    if (!(file >> board.rows >> board.cols)) return false;
    string all;
    char kind = FREE;
    int count;
    while (file >> count) {
        all.append(count, kind);
        kind = (kind == FREE) ? WALL : FREE;
    }
    board.squares.clear();
    for (int i = 0; i < board.rows; i++) board.squares.push_back(all.substr(i * board.cols, board.cols));
    return true;
}

void show_board(const Board &board) {
    const string border(board.cols + 2, WALL);
    cout << "\n  ";
    for (int j = 0; j < board.cols; j++) cout << char('a' + j);
    cout << "\n " << border << "\n";
    for (int i = 0; i < board.rows; i++) cout << char('a' + i) << WALL << board.squares[i] << WALL << "\n";
    cout << " " << border << "\n\n";
}

bool board_full(const Board &board) {
    for (const string &row : board.squares)
        if (row.find(FREE) != string::npos) return false;
    return true;
}

// the open cells around a cell
vector<Cell> neighbours(const Board &board, const Cell &c) {
    const Cell around[4] = {{c.row - 1, c.col}, {c.row, c.col + 1}, {c.row + 1, c.col}, {c.row, c.col - 1}};
    vector<Cell> result;
    for (const Cell &n : around)
        if (board.inside(n.row, n.col) && board.at(n) != WALL) result.push_back(n);
    return result;
}

// does this cell fall to the army that has just played beside it?
bool falls(const Board &board, const Cell &c, char army) {
    const char owner = board.at(c);
    if (owner == army) return false;
    const vector<Cell> adjacent = neighbours(board, c);
    int mine = 0, of_owner = 0;
    for (const Cell &n : adjacent) {
        if (board.at(n) == army) mine++;
        else if (board.at(n) == owner) of_owner++;
    }
    const int missing = int(adjacent.size()) - mine;
    switch (adjacent.size()) {
        case 1: return true;
        case 2: return missing == 0;
        case 3: return missing == 0 || (missing == 1 && owner == FREE);
        default: return missing == 0 || (missing == 1 && (owner == FREE || of_owner == 0));
    }
}

// ----- the armies -----

int find_army(const vector<Army> &armies, char letter) {
    int i = 0;
    while (armies[i].letter != letter) i++;
    return i;
}

// best first
bool better(const Army &a, const Army &b) {
    if (a.cells != b.cells) return a.cells > b.cells;
    if (a.stolen != b.stolen) return a.stolen > b.stolen;
    return a.waiting > b.waiting;
}

vector<Army> ranking(vector<Army> armies) {
    sort(armies.begin(), armies.end(), better);
    return armies;
}

void show_table(const vector<Army> &armies) {
    cout << setw(WIDTH) << "JUGADOR" << setw(WIDTH) << "CASELLES" << setw(WIDTH) << "ARRABASSADES" << setw(WIDTH)
         << "SENSE TIRAR" << "\n";
    for (const Army &a : ranking(armies))
        cout << setw(WIDTH) << a.letter << setw(WIDTH) << a.cells << setw(WIDTH) << a.stolen << setw(WIDTH) << a.waiting
             << "\n";
    cout << "\n";
}

// ----- a turn -----

void occupy(Board &board, vector<Army> &armies, const Cell &c, Army &player) {
    board.at(c) = player.letter;
    player.cells++;
    for (const Cell &n : neighbours(board, c)) {
        if (!falls(board, n, player.letter)) continue;
        if (board.at(n) != FREE) {
            armies[find_army(armies, board.at(n))].cells--;
            player.stolen++;
        }
        board.at(n) = player.letter;
        player.cells++;
    }
}

void resign(Board &board, vector<Army> &armies, int turn) {
    for (string &row : board.squares) replace(row.begin(), row.end(), armies[turn].letter, FREE);
    armies.erase(armies.begin() + turn);
}

// asks until the move is right; true if the player resigns
bool read_move(const Board &board, char player, Cell &c) {
    for (;;) {
        char row, col;
        cout << "JUGADOR " << player << "\n";
        if (!(cin >> row >> col)) input_ended();
        if (row == '0' && col == '0') return true;
        c.row = row - 'a';
        c.col = col - 'a';
        if (board.inside(c.row, c.col) && board.at(c) == FREE) return false;
    }
}

void play(Board &board, vector<Army> &armies) {
    size_t turn = 0;
    while (armies.size() > 1 && !board_full(board)) {
        Cell c;
        const bool resigns = read_move(board, armies[turn].letter, c);
        for (Army &a : armies) a.waiting++;
        if (resigns) {
            resign(board, armies, turn);  // the next player is now at the same index
        } else {
            armies[turn].waiting = 0;
            occupy(board, armies, c, armies[turn]);
            turn++;
        }
        if (turn == armies.size()) turn = 0;
        show_board(board);
        show_table(armies);
    }
}

// ----- the end -----

// the only owner of all the open cells of a line, or FREE
char controls(const string &line) {
    string open;
    for (char square : line)
        if (square != WALL) open += square;
    if (open.empty() || open.find_first_not_of(open[0]) != string::npos) return FREE;
    return open[0];
}

void show_control(const Board &board) {
    for (int i = 0; i < board.rows; i++) {
        const char owner = controls(board.squares[i]);
        if (owner != FREE) {
            cout << "EL JUGADOR " << owner << " CONTROLA LA FILA " << char('a' + i) << "\n";
            return;
        }
    }
    for (int j = 0; j < board.cols; j++) {
        string column;
        for (int i = 0; i < board.rows; i++) column += board.squares[i][j];
        const char owner = controls(column);
        if (owner != FREE) {
            cout << "EL JUGADOR " << owner << " CONTROLA LA COLUMNA " << char('a' + j) << "\n";
            return;
        }
    }
    cout << "CAP JUGADOR CONTROLA CAP FILA NI COLUMNA\n";
}

// ----- the start -----

// 0 if the word is not a number of players
int to_players(const string &word) {
    char *end;
    const long number = strtol(word.c_str(), &end, 10);
    return *end == '\0' && number >= 2 && number <= 10 ? int(number) : 0;
}

int main() {
    cout << "BENVINGUTS A OKUPACIO !\n";
    int players = 0;
    while (players == 0) {
        string word;
        cout << "ENTRA NOMBRE DE JUGADORS (2..10):\n";
        if (!(cin >> word)) input_ended();
        players = to_players(word);
    }
    string name;
    cout << "NOM DEL FITXER DEL TAULER:\n";
    if (!(cin >> name)) input_ended();

    Board board;
    if (!read_board(name, board)) {
        cout << "NO ES POT OBRIR EL FITXER\n";
        return 0;
    }
    vector<Army> armies;
    for (int i = 0; i < players; i++) armies.push_back({char('A' + i), 0, 0, players - 1 - i});

    show_board(board);
    play(board, armies);
    cout << "GAME OVER\n\nGUANYADOR: JUGADOR " << ranking(armies).front().letter << "\n";
    show_control(board);
    return 0;
}
