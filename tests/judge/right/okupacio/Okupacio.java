import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Scanner;

/** Okupacio: the game of the assignment. The board has a margin of walls, so that every cell has four squares around it. */
public class Okupacio {
    static final char FREE = ' ';
    static final char WALL = '#';
    static final int[][] DIRECTIONS = {{-1, 0}, {0, 1}, {1, 0}, {0, -1}};

    static class Player {
        final char id;
        int owned = 0;
        int stolen = 0;
        int idle;

        Player(char id, int idle) {
            this.id = id;
            this.idle = idle;
        }
    }

    /** Best first: cells, then stolen cells, then turns without a move. */
    static final Comparator<Player> BEST_FIRST =
        Comparator.<Player>comparingInt(p -> p.owned).thenComparingInt(p -> p.stolen).thenComparingInt(p -> p.idle).reversed();

    static final BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
    static final PrintWriter out = new PrintWriter(System.out);

    // ---- input ----

    static int read() throws IOException {
        int c = in.read();
        if (c < 0) {
            out.flush();
            System.err.println("unexpected end of the input");
            System.exit(1);
        }
        return c;
    }

    static char nextChar() throws IOException {
        int c = read();
        while (Character.isWhitespace(c)) c = read();
        return (char) c;
    }

    /** A word; the blank after it is read, too, if there is one. */
    static String nextWord() throws IOException {
        StringBuilder word = new StringBuilder();
        int c = nextChar();
        while (c >= 0 && !Character.isWhitespace(c)) {
            word.append((char) c);
            c = in.read();
        }
        return word.toString();
    }

    static int askPlayers() throws IOException {
        int number = 0;
        while (number < 2 || number > 10) {
            out.print("ENTRA NOMBRE DE JUGADORS (2..10):\n");
            String word = nextWord();
            number = word.matches("[+-]?[0-9]{1,9}") ? Integer.parseInt(word) : 0;
        }
        return number;
    }

    // ---- the game ----

    private final int rows, columns;
    private final char[][] square;
    private final List<Player> players = new ArrayList<>();
    private int turn = 0;

    Okupacio(Scanner board, int numPlayers) {
        rows = board.nextInt();
        columns = board.nextInt();
        square = new char[rows + 2][columns + 2];
        for (char[] line : square) Arrays.fill(line, WALL);
        int position = 0;
        for (boolean open = true; board.hasNextInt(); open = !open) {
            int count = board.nextInt();
            for (int k = 0; k < count; k++, position++) {
                if (open) square[1 + position / columns][1 + position % columns] = FREE;
            }
        }
        for (int i = 0; i < numPlayers; i++) players.add(new Player((char) ('A' + i), numPlayers - 1 - i));
    }

    boolean isFree(int row, int column) {
        return row >= 1 && row <= rows && column >= 1 && column <= columns && square[row][column] == FREE;
    }

    boolean isOver() {
        if (players.size() == 1) return true;
        for (char[] line : square) {
            if (new String(line).indexOf(FREE) >= 0) return false;
        }
        return true;
    }

    /** Whether the army of {@code id} takes this open square beside the one that it has just occupied. */
    boolean isTaken(int row, int column, char id) {
        char owner = square[row][column];
        int degree = 0, mine = 0, same = 0;
        for (int[] d : DIRECTIONS) {
            char other = square[row + d[0]][column + d[1]];
            if (other == WALL) continue;
            degree++;
            if (other == id) mine++;
            if (other == owner) same++;
        }
        boolean free = owner == FREE;
        boolean allButOne = mine == degree - 1;
        if (degree == 1 || mine == degree) return true;
        if (degree == 3) return allButOne && free;
        if (degree == 4) return allButOne && (free || same == 0);
        return false;
    }

    void take(int row, int column, Player player) {
        char loser = square[row][column];
        for (Player p : players) {
            if (p.id == loser) {
                p.owned--;
                player.stolen++;
            }
        }
        square[row][column] = player.id;
        player.owned++;
    }

    void occupy(int row, int column, Player player) {
        take(row, column, player);
        for (int[] d : DIRECTIONS) {
            int r = row + d[0], c = column + d[1];
            char owner = square[r][c];
            if (owner != WALL && owner != player.id && isTaken(r, c, player.id)) take(r, c, player);
        }
    }

    void resign(Player player) {
        for (char[] line : square) {
            for (int j = 0; j < line.length; j++) {
                if (line[j] == player.id) line[j] = FREE;
            }
        }
        players.remove(player);
    }

    /** Reads moves until one is right, and makes it. */
    void playTurn() throws IOException {
        Player player = players.get(turn);
        while (true) {
            out.print("JUGADOR " + player.id + "\n");
            char first = nextChar(), second = nextChar();
            if (first == '0' && second == '0') {
                resign(player);
                turn = turn % players.size();
                break;
            }
            int row = first - 'a' + 1, column = second - 'a' + 1;
            if (isFree(row, column)) {
                occupy(row, column, player);
                turn = (turn + 1) % players.size();
                break;
            }
        }
        for (Player p : players) p.idle = (p == player) ? 0 : p.idle + 1;
    }

    // ---- output ----

    void showBoard() {
        StringBuilder text = new StringBuilder("\n  ");
        for (int j = 0; j < columns; j++) text.append((char) ('a' + j));
        text.append('\n');
        for (int i = 0; i <= rows + 1; i++) {
            boolean edge = i == 0 || i == rows + 1;
            text.append(edge ? ' ' : (char) ('a' + i - 1)).append(square[i]).append('\n');
        }
        out.print(text.append('\n'));
    }

    List<Player> ranking() {
        List<Player> sorted = new ArrayList<>(players);
        sorted.sort(BEST_FIRST);
        return sorted;
    }

    void showTable() {
        out.printf("%13s%13s%13s%13s\n", "JUGADOR", "CASELLES", "ARRABASSADES", "SENSE TIRAR");
        for (Player p : ranking()) out.printf("%13s%13d%13d%13d\n", p.id, p.owned, p.stolen, p.idle);
        out.print("\n");
    }

    /** The army that owns every open square of a line, or 0. */
    static char controller(String line) {
        String open = line.replace(String.valueOf(WALL), "");
        if (open.isEmpty()) return 0;
        char first = open.charAt(0);
        return first != FREE && open.chars().allMatch(c -> c == first) ? first : 0;
    }

    String controlMessage() {
        for (int i = 1; i <= rows; i++) {
            char who = controller(new String(square[i]));
            if (who != 0) return "EL JUGADOR " + who + " CONTROLA LA FILA " + (char) ('a' + i - 1);
        }
        for (int j = 1; j <= columns; j++) {
            StringBuilder line = new StringBuilder();
            for (char[] row : square) line.append(row[j]);
            char who = controller(line.toString());
            if (who != 0) return "EL JUGADOR " + who + " CONTROLA LA COLUMNA " + (char) ('a' + j - 1);
        }
        return "CAP JUGADOR CONTROLA CAP FILA NI COLUMNA";
    }

    void play() throws IOException {
        showBoard();
        while (!isOver()) {
            playTurn();
            showBoard();
            showTable();
        }
        out.print("GAME OVER\n\nGUANYADOR: JUGADOR " + ranking().get(0).id + "\n" + controlMessage() + "\n");
    }

    public static void main(String[] args) throws IOException {
        out.print("BENVINGUTS A OKUPACIO !\n");
        int numPlayers = askPlayers();
        out.print("NOM DEL FITXER DEL TAULER:\n");
        String name = nextWord();
        String board = null;
        try {
            board = Files.readString(Path.of(name));
        } catch (IOException | InvalidPathException e) {
            out.print("NO ES POT OBRIR EL FITXER\n");
        }
        if (board != null) new Okupacio(new Scanner(board), numPlayers).play();
        out.flush();
    }
}
