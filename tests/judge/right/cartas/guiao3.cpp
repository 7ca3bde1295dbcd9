// Guiao 3, read by token; a hand is a line, because it could be empty.
#include <algorithm>
#include <iostream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

using Cards = std::vector<int>;  // 4 * value + suit, ascending

enum class Type { Nothing, Set, Sequence, Double };

static Cards parse(const std::string &text) {
    Cards cards;
    for (std::size_t i = 0; i + 3 < text.size(); i += 4) {  // four bytes a card
        int code = ((text[i + 2] & 0x3F) << 6 | (text[i + 3] & 0x3F)) - 0xA0;
        cards.push_back(4 * (code & 15) + (code >> 4));
    }
    std::sort(cards.begin(), cards.end());
    return cards;
}

static std::string show(const Cards &cards) {
    std::string text;
    for (int card : cards) {
        int low = 0xA0 + 16 * (card & 3) + (card >> 2);
        if (!text.empty()) text += ' ';
        text += "\xF0\x9F";
        text += static_cast<char>(0x80 | low >> 6);
        text += static_cast<char>(0x80 | (low & 0x3F));
    }
    return text;
}

static Type typeOf(const Cards &cards) {
    std::map<int, int> times;
    for (int card : cards) times[card >> 2]++;
    if (times.size() == 1) return Type::Set;
    if (times.size() < 3) return Type::Nothing;
    int first = times.begin()->first, last = times.rbegin()->first, each = times.begin()->second;
    if (last - first + 1 != static_cast<int>(times.size())) return Type::Nothing;
    for (const auto &group : times)
        if (group.second != each) return Type::Nothing;
    return each == 1 ? Type::Sequence : each == 2 ? Type::Double : Type::Nothing;
}

static bool answers(const Cards &play, const Cards &last) {
    Type mine = typeOf(play), theirs = typeOf(last);
    if (mine == Type::Nothing || theirs == Type::Nothing) return false;
    if (mine == theirs && play.size() == last.size()) return play.back() > last.back();
    if (theirs != Type::Set || last.back() >> 2 != 14) return false;
    switch (last.size()) {
        case 1: return (mine == Type::Set && play.size() == 4) || (mine == Type::Double && play.size() == 6);
        case 2: return mine == Type::Double && play.size() == 8;
        case 3: return mine == Type::Double && play.size() == 10;
        default: return false;
    }
}

int main() {
    int tests = 0;
    std::cin >> tests;
    for (int test = 1; test <= tests; test++) {
        int k = 0;
        std::string text, play, last;
        std::cin >> k;
        std::getline(std::cin, text);  // what is left of that line
        std::getline(std::cin, text);
        Cards hand = parse(text);
        int passes = 3;  // nobody has played yet
        for (int i = 0; i < k; i++) {
            std::cin >> text;
            if (text == "PASSO") {
                passes++;
            } else {
                passes = 0;
                last = text;
            }
        }
        std::cin >> play;
        if (play != "PASSO") {
            Cards cards = parse(play);
            bool mine = std::includes(hand.begin(), hand.end(), cards.begin(), cards.end());
            bool legal = passes >= 3 ? typeOf(cards) != Type::Nothing : answers(cards, parse(last));
            if (mine && legal) {
                Cards rest;
                std::set_difference(hand.begin(), hand.end(), cards.begin(), cards.end(), std::back_inserter(rest));
                hand = rest;
            }
        }
        std::cout << "Teste " << test << '\n' << show(hand) << '\n';
    }
}
