// Conclave, the final assignment of MTP-2: its main classes, in one file.
#include <algorithm>
#include <cstdlib>
#include <iomanip>
#include <iostream>
#include <string>
#include <vector>
using namespace std;

const string MAGIES = "boprtv";
const int N = 4, N_MA = 4, MAX_JUGADORS = 4, MAX_BUITS = 4, MINIM = 10;

// ----- input: a character, a number as a whole word -----

[[noreturn]] void error(const string &message) {
    cerr << message << endl;
    exit(1);
}

char demanaCaracter(const string &missatge) {
    char c;
    cout << missatge << "\n";
    if (!(cin >> c)) error("the input has ended");
    return c;
}

string llegeixNumero() {
    string w;
    if (!(cin >> w)) error("the input has ended");
    const string digits = w[0] == '-' ? w.substr(1) : w;
    if (digits.empty() || digits.find_first_not_of("0123456789") != string::npos) error("not a number: " + w);
    return w;
}

// large numbers are cut off: they are all wrong
int llegeixEnter() {
    const string w = llegeixNumero();
    const bool negatiu = w[0] == '-';
    int valor = 0;
    for (size_t i = negatiu; i < w.size(); i++) valor = min(valor * 10 + (w[i] - '0'), 1000000);
    return negatiu ? -valor : valor;
}

unsigned llegeixLlavor() {
    const string w = llegeixNumero();
    if (w[0] == '-') error("the seed is negative");
    unsigned valor = 0;
    for (char digit : w) valor = valor * 10 + (digit - '0');  // modulo 2^32
    return valor;
}

// ----- cards -----

struct Carta {
    char magia = ' ', influencia = ' ', germandat = ' ';  // blanks: no card

    bool esBuida() const { return influencia == ' '; }
    int valor() const { return esBuida() ? 0 : influencia - '0'; }
    string anvers() const { return string("[") + magia + influencia + germandat + "]"; }
    string revers() const { return string("[") + magia + "]"; }
    bool operator<(const Carta &c) const { return anvers() < c.anvers(); }
};

using Cartes = vector<Carta>;  // a deck or a pile, the top at its end, or followers

Carta treu(Cartes &cartes) {
    const Carta c = cartes.back();
    cartes.pop_back();
    return c;
}

Cartes barallaBarrejada(unsigned x) {
    Cartes b;
    for (char m : MAGIES)
        for (char g : string("cgs"))
            for (char i = '1'; i <= '5'; i++) b.push_back({m, i, g});
    for (unsigned i = b.size() - 1; i > 0; i--) {
        x = 1103515245u * x + 12345u;
        swap(b[x / 32 % 32768 % (i + 1)], b[i]);
    }
    return b;
}

int suma(const Cartes &seguidors, char magia) {
    int total = 0;
    for (const Carta &c : seguidors) total += c.magia == magia ? c.valor() : 0;
    return total;
}

void mostraPila(const string &titol, const Cartes &pila) {
    cout << "\n" << titol << ":\n" << (pila.empty() ? "NO HI HA CAP CARTA" : "");
    for (auto c = pila.rbegin(); c != pila.rend(); ++c) cout << c->revers() << " ";
    cout << "\n";
}

struct Jugador {
    string nom;
    Carta ma[N_MA];
    Cartes seguidors;
};

class Tauler {
    Carta t[N][N];

    bool ocupada(int f, int c) const { return dins(f, c) && !t[f][c].esBuida(); }

    void agafa(int f, int c, Cartes &s) {
        s.push_back(t[f][c]);
        t[f][c] = Carta();
    }
    void convencLinia(int f, int c, int df, int dc, Cartes &s) {
        const Carta emissari = t[f][c];
        int suma = 0;
        while (ocupada(f - df, c - dc)) f -= df, c -= dc;
        for (int i = f, j = c; ocupada(i, j); i += df, j += dc) suma += t[i][j].valor();
        if (suma < MINIM) return;
        for (; ocupada(f, c); f += df, c += dc) {
            const Carta &altra = t[f][c];
            const bool ell = altra.anvers() == emissari.anvers();
            if (!ell && (altra.magia == emissari.magia || altra.germandat == emissari.germandat)) agafa(f, c, s);
        }
    }

public:
    static bool dins(int f, int c) { return f >= 0 && f < N && c >= 0 && c < N; }
    bool esBuit(int f, int c) const { return t[f][c].esBuida(); }
    void posa(int f, int c, const Carta &carta) { t[f][c] = carta; }
    int buits() const {
        int n = 0;
        for (int i = 0; i < N * N; i++) n += esBuit(i / N, i % N);
        return n;
    }
    void omple(const Carta &carta) {
        int i = 0;
        while (!esBuit(i / N, i % N)) i++;
        posa(i / N, i % N, carta);
    }
    void convenc(int f, int c, Cartes &s) {
        convencLinia(f, c, 0, 1, s);
        convencLinia(f, c, 1, 0, s);
    }
    void crisi(int f, int c, Cartes &s) {
        const char germandat = t[f][c].germandat;
        for (int i = 0; i < N; i++) {
            if (t[f][i].germandat != germandat) agafa(f, i, s);
            if (t[i][c].germandat != germandat) agafa(i, c, s);
        }
    }
    void mostra(const Carta &esquerra, const Carta &dreta) const {
        cout << "\n          0     1     2     3\n";
        for (int f = 0; f < N; f++) {
            cout << (f == 1 ? esquerra.revers() : "   ") << "  " << f << " ";
            for (int c = 0; c < N; c++) cout << " " << t[f][c].anvers();
            cout << (f == 1 ? "  " + dreta.revers() : "") << "\n";
        }
    }
};

// ----- the game -----

class Joc {
    int n, torn = 0, ultims = -1;  // ultims: turns left of the last round, or -1
    bool acabat = false;
    vector<Jugador> jugadors;
    Tauler tauler;
    Cartes piles[2];

    bool pilesBuides() const { return piles[0].empty() && piles[1].empty(); }

    Carta cim(int pila) const { return piles[pila].empty() ? Carta() : piles[pila].back(); }
    void mostraResum(int j) const {
        for (char m : MAGIES) {
            const int s = suma(jugadors[j].seguidors, m);
            cout << "[" << setw(2) << (s > 0 ? to_string(s) : "") << m << "] ";
        }
        cout << "  " << j + 1 << " " << jugadors[j].nom << "\n";
    }
    void mostraTorn() const {
        const Jugador &actual = jugadors[torn];
        cout << "\nTORN DE " << actual.nom << "\n" << string(8 + actual.nom.size(), '=') << "\n";
        tauler.mostra(cim(0), cim(1));
        cout << "\nMA DE " << actual.nom << ":\n";
        for (int i = 0; i < N_MA; i++) cout << i << ":" << actual.ma[i].anvers() << " ";
        cout << "\n\nMANS DELS OPONENTS:\n";
        for (int j = 0; j < n; j++) {
            if (j == torn) continue;
            for (const Carta &c : jugadors[j].ma) cout << c.revers() << " ";
            cout << "  " << j + 1 << " " << jugadors[j].nom << "\n";
        }
        cout << "\nRESUM DELS SEGUIDORS:\n";
        mostraResum(torn);
        for (int j = 0; j < n; j++)
            if (j != torn) mostraResum(j);
        cout << "\nOPCIONS:\n(I) FER JUGADA CEDINT INFLUENCIA\n(J) FER JUGADA SENSE CEDIR INFLUENCIA\n"
             << "(P) MOSTRAR PILES\n(F) ABANDONAR PARTIDA\n\n";
    }

    void cedeix() {
        Cartes &meus = jugadors[torn].seguidors;
        do {
            const char magia = demanaCaracter("ENTRA LA MAGIA QUE VOLS CEDIR:");
            cout << "ENTRA EL JUGADOR A QUI LA VOLS CEDIR:\n";
            const int j = llegeixEnter() - 1;
            // what is no magic has no followers, and a player has what he would cede to himself
            if (j >= 0 && j < n && suma(meus, magia) > 0 && suma(jugadors[j].seguidors, magia) == 0) {
                for (const Carta &c : meus)
                    if (c.magia == magia) jugadors[j].seguidors.push_back(c);
                meus.erase(remove_if(meus.begin(), meus.end(), [=](const Carta &c) { return c.magia == magia; }), meus.end());
                return;
            }
            cout << "MOVIMENT NO VALID\n";
        } while (demanaCaracter("ENCARA T'INTERESSA CEDIR INFLUENCIA? (s/n)") != 'n');
    }

    static int demanaCarta() {
        cout << "ENTRA LA POSICIO DE LA CARTA QUE VOLS COL.LOCAR:\n";
        const int p = llegeixEnter();
        if (p >= 0 && p < N_MA) return p;
        cout << "POSICIO NO VALIDA\n";
        return demanaCarta();
    }
    void demanaCasella(int &f, int &c) const {
        cout << "ENTRA LA POSICIO DEL TAULER ON VOLS COL.LOCAR LA CARTA:\n";
        f = llegeixEnter();
        c = llegeixEnter();
        if (Tauler::dins(f, c)) return;
        cout << "POSICIO NO VALIDA\n";
        demanaCasella(f, c);
    }
    int demanaPila() const {
        if (piles[0].empty() || piles[1].empty()) return piles[0].empty() ? 1 : 0;
        const char c = demanaCaracter("DE QUINA PILA VOLS ROBAR LA CARTA? (e/d)");
        if (c == 'e' || c == 'd') return c == 'e' ? 0 : 1;
        cout << "AQUESTA PILA NO EXISTEIX\n";
        return demanaPila();
    }

    void ferTorn() {
        Jugador &actual = jugadors[torn];
        int p = demanaCarta(), f, c;
        for (demanaCasella(f, c); !tauler.esBuit(f, c); demanaCasella(f, c)) {
            cout << "JUGADA NO PERMESA\nTORNA A INDICAR LA JUGADA\n";
            p = demanaCarta();
        }
        tauler.posa(f, c, actual.ma[p]);
        actual.ma[p] = Carta();
        tauler.convenc(f, c, actual.seguidors);
        if (tauler.buits() == 0) tauler.crisi(f, c, actual.seguidors);
        acabat = tauler.buits() == 0;
        if (ultims > 0) {
            if (--ultims == 0) acabat = true;
        } else {
            roba(actual.ma[p]);
            if (pilesBuides()) ultims = n;
        }
        torn = (torn + 1) % n;
    }
    void roba(Carta &forat) {
        int pila = demanaPila();
        forat = treu(piles[pila]);
        while (tauler.buits() > MAX_BUITS && !pilesBuides()) {
            if (piles[pila].empty()) pila = 1 - pila;
            tauler.omple(treu(piles[pila]));
        }
    }

    void resultat() {
        vector<int> punts(n, 0);
        cout << "\nRESULTAT FINAL\n==============\n\nTOTS ELS SEGUIDORS:\n";
        for (int j = 0; j < n; j++) {
            Cartes &seguidors = jugadors[j].seguidors;
            for (const Carta &c : jugadors[j].ma)
                if (!c.esBuida()) seguidors.push_back(c);
            sort(seguidors.begin(), seguidors.end());
            cout << j + 1 << " " << jugadors[j].nom << "\n ";
            for (const Carta &c : seguidors) cout << c.anvers() << " ";
            cout << "\n";
        }
        cout << "\nRESUM DELS SEGUIDORS:\n";
        for (int j = 0; j < n; j++) mostraResum(j);
        for (char m : MAGIES) {
            int maxim = 0;
            for (const Jugador &j : jugadors) maxim = max(maxim, suma(j.seguidors, m));
            for (int j = 0; j < n; j++)
                if (suma(jugadors[j].seguidors, m) < maxim) punts[j] += suma(jugadors[j].seguidors, m);
        }
        cout << "\nPUNTS DE DECEPCIO:\n";
        for (int j = 0; j < n; j++) cout << setw(3) << punts[j] << " " << jugadors[j].nom << "\n";
        const size_t guanya = min_element(punts.begin(), punts.end()) - punts.begin();  // the first one of a tie
        cout << "\nENHORABONA " << jugadors[guanya].nom << "! HAS GUANYAT LA PARTIDA!\n";
    }

public:
    Joc(unsigned llavor, const vector<string> &noms) : n(int(noms.size())), jugadors(noms.size()) {
        Cartes b = barallaBarrejada(llavor);
        b.resize(b.size() - MAGIES.size() * (MAX_JUGADORS + (MAX_JUGADORS - n)));
        for (int j = 0; j < n; j++) {
            jugadors[j].nom = noms[j];
            for (Carta &c : jugadors[j].ma) c = treu(b);
        }
        for (int f = 0; f < N; f++)
            for (int c = 0; c < N; c++)
                if (f == 0 || f == N - 1 || c == 0 || c == N - 1) tauler.posa(f, c, treu(b));
        for (int i = int(b.size()) / 2; i > 0; i--) piles[0].push_back(treu(b));
        piles[1].assign(b.rbegin(), b.rend());
    }

    void juga() {
        while (!acabat) {
            mostraTorn();
            switch (demanaCaracter("ENTRA UNA OPCIO:")) {
                case 'I':
                    cedeix();
                    ferTorn();
                    break;
                case 'J': ferTorn(); break;
                case 'P':
                    mostraPila("PILA ESQUERRA", piles[0]);
                    mostraPila("PILA DRETA", piles[1]);
                    break;
                case 'F': cout << "PARTIDA ABANDONADA\n"; return;
                default: cout << "OPCIO NO DEFINIDA\n";
            }
        }
        resultat();
    }
};

int main() {
    ios::sync_with_stdio(false);
    cin.tie(nullptr);
    cout << "ENTRA LA LLAVOR:\n";
    const unsigned llavor = llegeixLlavor();
    int n;
    for (;;) {
        cout << "ENTRA EL NUMERO DE JUGADORS (2-4):\n";
        n = llegeixEnter();
        if (n >= 2 && n <= MAX_JUGADORS) break;
        cout << "NUMERO DE JUGADORS INCORRECTE\n";
    }
    string linia;
    getline(cin, linia);  // the rest of the line
    vector<string> noms;
    for (int j = 1; j <= n; j++) {
        cout << "ENTRA EL NOM DEL JUGADOR " << j << ":\n";
        if (!getline(cin, linia)) error("the input has ended");
        noms.push_back(linia);
    }
    Joc(llavor, noms).juga();
    return 0;
}
