/* A bot for every game: plays a random legal move. The protocol is in docs/bots.md.
 *
 *     cc -O2 -o random random.c
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

int main(void) {
    char *line = NULL, *chosen = NULL;
    size_t room = 0;
    ssize_t length;
    int legal = 0;

    srand((unsigned)(time(NULL) ^ getpid()));
    setvbuf(stdout, NULL, _IOLBF, 0); /* send each line at once: the arena waits for the answer */
    while ((length = getline(&line, &room, stdin)) > 0) {
        if (line[length - 1] == '\n') line[length - 1] = '\0';
        if (strncmp(line, "ludoteca ", 9) == 0) {
            puts("ludoteca 1");
        } else if (strncmp(line, "legal ", 6) == 0) {
            if (rand() % ++legal == 0) { /* all moves so far have the same probability */
                free(chosen);
                chosen = strdup(line + 6);
            }
        } else if (strncmp(line, "move", 4) == 0) {
            puts(chosen ? chosen : "");
            legal = 0;
        }
    }
    free(chosen);
    free(line);
    return 0;
}
