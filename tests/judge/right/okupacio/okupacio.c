/* Okupacio, as a student might write it: the whole text program of the document, version 2.1.
   Compiled with -DFAULT=NAME it does one thing wrong, once the first move has been made. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX 25
#define FREE ' '
#define WALL '#'

static char board[MAX + 2][MAX + 2]; /* walls all around */
static int rows, columns, players, turn;
static int playing[10], captured[10], last[10];
static const int DR[4] = {-1, 0, 0, 1}, DC[4] = {0, -1, 1, 0};

#ifdef FAULT
enum { NONE, SEGFAULT, LOOP, MEMORY, OUTPUT, STATUS, SLEEP, LATIN, CRLF, DIVIDE, ABORT };
static void fail(void) {
    static char *kept;
    switch (FAULT) {
    case SEGFAULT: kept = (char *)1; *(volatile char *)kept = 1; break;
    case LOOP: for (volatile int i = 0;; i++); break;
    case MEMORY: for (;;) { kept = malloc(1 << 22); if (!kept) abort(); memset(kept, 1, 1 << 22); } break;
    case OUTPUT: for (;;) puts("JUGADOR A"); break;
    case STATUS: exit(3);
    case LATIN: puts("\xe0"); break;
    case DIVIDE: raise(SIGFPE); break;
    case ABORT: abort();
    }
}
#endif

static int read_board(const char *name) {
    FILE *file = fopen(name, "r");
    int count, cell = 0, open = 1;
    if (!file) return 0;
    if (fscanf(file, "%d %d", &rows, &columns) != 2) { fclose(file); return 0; }
    memset(board, WALL, sizeof board);
    for (; fscanf(file, "%d", &count) == 1; open = !open)
        for (; count > 0; count--, cell++)
            board[1 + cell / columns][1 + cell % columns] = open ? FREE : WALL;
    fclose(file);
    return 1;
}

static void show_board(void) {
    int i, j;
    printf("\n  ");
    for (j = 0; j < columns; j++) putchar('a' + j);
    printf("\n ");
    for (j = 0; j < columns + 2; j++) putchar(WALL);
    putchar('\n');
    for (i = 1; i <= rows; i++) {
        printf("%c#", 'a' + i - 1);
        for (j = 1; j <= columns; j++) putchar(board[i][j]);
        printf("#\n");
    }
    putchar(' ');
    for (j = 0; j < columns + 2; j++) putchar(WALL);
    printf("\n\n");
}

static int count_cells(int player) {
    int i, j, n = 0;
    for (i = 1; i <= rows; i++)
        for (j = 1; j <= columns; j++) n += board[i][j] == 'A' + player;
    return n;
}

static int better(int a, int b) { /* stands a before b? */
    int cells_a = count_cells(a), cells_b = count_cells(b);
    if (cells_a != cells_b) return cells_a > cells_b;
    if (captured[a] != captured[b]) return captured[a] > captured[b];
    return turn - last[a] > turn - last[b];
}

static int ranking(int order[]) {
    int n = 0, player, i;
    for (player = 0; player < players; player++) {
        if (!playing[player]) continue;
        for (i = n++; i > 0 && better(player, order[i - 1]); i--) order[i] = order[i - 1];
        order[i] = player;
    }
    return n;
}

static void show_table(void) {
    int order[10], n = ranking(order), i;
    printf("%13s%13s%13s%13s\n", "JUGADOR", "CASELLES", "ARRABASSADES", "SENSE TIRAR");
    for (i = 0; i < n; i++)
        printf("%13c%13d%13d%13d\n", 'A' + order[i], count_cells(order[i]), captured[order[i]], turn - last[order[i]]);
    putchar('\n');
}

static int falls(int i, int j, char me) {
    int k, degree = 0, mine = 0, theirs = 0;
    char owner = board[i][j];
    if (owner == WALL || owner == me) return 0;
    for (k = 0; k < 4; k++) {
        char near = board[i + DR[k]][j + DC[k]];
        degree += near != WALL;
        mine += near == me;
        theirs += near == owner;
    }
    if (degree <= 2) return mine == degree;
    if (mine == degree) return 1;
    if (mine != degree - 1) return 0;
    return owner == FREE || (degree == 4 && theirs == 0);
}

static void occupy(int i, int j, int player) {
    int k, fallen[4];
    board[i][j] = 'A' + player;
    for (k = 0; k < 4; k++) fallen[k] = falls(i + DR[k], j + DC[k], 'A' + player);
    for (k = 0; k < 4; k++)
        if (fallen[k]) {
            captured[player] += board[i + DR[k]][j + DC[k]] != FREE;
            board[i + DR[k]][j + DC[k]] = 'A' + player;
        }
}

static void give_up(int player) {
    int i, j;
    playing[player] = 0;
    for (i = 1; i <= rows; i++)
        for (j = 1; j <= columns; j++)
            if (board[i][j] == 'A' + player) board[i][j] = FREE;
}

static int armies(void) {
    int player, n = 0;
    for (player = 0; player < players; player++) n += playing[player];
    return n;
}

static char holder(int i, int j, int di, int dj) { /* of a whole line; FREE if there is none */
    char found = WALL;
    for (; i <= rows && j <= columns; i += di, j += dj) {
        if (board[i][j] == WALL) continue;
        if (found != WALL && found != board[i][j]) return FREE;
        found = board[i][j];
    }
    return found == WALL ? FREE : found;
}

static void show_control(void) {
    int k;
    for (k = 1; k <= rows; k++)
        if (holder(k, 1, 0, 1) != FREE) {
            printf("EL JUGADOR %c CONTROLA LA FILA %c\n", holder(k, 1, 0, 1), 'a' + k - 1);
            return;
        }
    for (k = 1; k <= columns; k++)
        if (holder(1, k, 1, 0) != FREE) {
            printf("EL JUGADOR %c CONTROLA LA COLUMNA %c\n", holder(1, k, 1, 0), 'a' + k - 1);
            return;
        }
    puts("CAP JUGADOR CONTROLA CAP FILA NI COLUMNA");
}

static void read_players(void) {
    do {
        puts("ENTRA NOMBRE DE JUGADORS (2..10):");
        if (scanf("%d", &players) == EOF) exit(1);
    } while (players < 2 || players > 10);
}

static int free_cells(void) {
    int i, j;
    for (i = 1; i <= rows; i++)
        for (j = 1; j <= columns; j++)
            if (board[i][j] == FREE) return 1;
    return 0;
}

static void move(int player) {
    char row, column;
    for (;;) {
        printf("JUGADOR %c\n", 'A' + player);
        if (scanf(" %c %c", &row, &column) != 2) exit(1);
        turn++;
        if (row == '0' && column == '0') {
            give_up(player);
            return;
        }
        int i = row - 'a' + 1, j = column - 'a' + 1;
        if (i >= 1 && i <= rows && j >= 1 && j <= columns && board[i][j] == FREE) {
            occupy(i, j, player);
            last[player] = turn;
            return;
        }
        turn--;
    }
}

int main(void) {
    char name[1000];
    int player, order[10];
    puts("BENVINGUTS A OKUPACIO !");
    read_players();
    puts("NOM DEL FITXER DEL TAULER:");
    if (scanf("%999s", name) != 1) return 1;
    if (!read_board(name)) {
        puts("NO ES POT OBRIR EL FITXER");
        return 1;
    }
    for (player = 0; player < players; player++) playing[player] = 1, last[player] = player - players + 1;
    show_board();
    for (player = 0; armies() > 1 && free_cells();) {
        move(player);
#ifdef FAULT
        fail();
#endif
        show_board();
        show_table();
        do player = (player + 1) % players;
        while (!playing[player]);
    }
    printf("GAME OVER\n\n");
    ranking(order);
    printf("GUANYADOR: JUGADOR %c\n", 'A' + order[0]);
    show_control();
    return 0;
}
