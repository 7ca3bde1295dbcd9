// Guiao 4: every combination that may be played, in order. The whole answer is built in one string.
#include <algorithm>
#include <cstdio>
#include <iostream>
#include <string>
#include <vector>

struct Card {
    int value, suit;
    bool operator<(const Card &other) const { return value != other.value ? value < other.value : suit < other.suit; }
    std::string text() const {
        int low = 0xA0 + 16 * suit + value;
        return {'\xF0', '\x9F', static_cast<char>(0x80 | low >> 6), static_cast<char>(0x80 | (low & 0x3F))};
    }
};

using Cards = std::vector<Card>;

static Cards parse(const std::string &line) {
    Cards cards;
    for (std::size_t i = 0; i + 3 < line.size(); i += 4) {
        int code = ((line[i + 2] & 0x3F) << 6 | (line[i + 3] & 0x3F)) - 0xA0;
        cards.push_back({code % 16, code / 16});
    }
    std::sort(cards.begin(), cards.end());
    return cards;
}

// `copies` cards of each of `values` consecutive values: sets have one value, sequences one copy, doubles two.
struct Shape {
    int values, copies;
};

static Shape shapeOf(const Cards &cards) {
    const Shape nothing = {0, 0};
    if (cards.empty()) return nothing;
    int values = cards.back().value - cards.front().value + 1, size = static_cast<int>(cards.size());
    if (size % values) return nothing;
    int copies = size / values;
    for (int i = 0; i < size; i++)
        if (cards[i].value != cards[0].value + i / copies) return nothing;
    if (values == 1 || (values >= 3 && copies <= 2)) return {values, copies};
    return nothing;
}

class Generator {
  public:
    explicit Generator(const Cards &hand) : suits(16) {
        for (const Card &card : hand) suits[card.value].push_back(card);
    }

    // All combinations of a shape; with a floor, those whose highest card is above it.
    void list(Shape shape, const Card *floor) {
        this->shape = shape;
        this->floor = floor;
        for (int first = 1; first + shape.values - 1 <= 14; first++) {
            bool enough = true;
            for (int v = first; v < first + shape.values; v++)
                enough = enough && static_cast<int>(suits[v].size()) >= shape.copies;
            if (enough) choose(first, first + shape.values - 1, 0, 0);
        }
    }

    std::string out;

  private:
    // Adds cards of one value from an index on, then goes to the next value.
    void choose(int value, int last, int taken, std::size_t from) {
        const Cards &here = suits[value];
        std::size_t length = line.size();
        for (std::size_t i = from; i < here.size(); i++) {
            bool full = taken + 1 == shape.copies;
            if (full && value == last && floor && !(*floor < here[i])) continue;
            line += (line.empty() ? "" : " ") + here[i].text();
            if (!full) {
                choose(value, last, taken + 1, i + 1);
            } else if (value < last) {
                choose(value + 1, last, 0, 0);
            } else {
                out += line;
                out += '\n';
            }
            line.resize(length);
        }
    }

    std::vector<Cards> suits;
    Shape shape = {0, 0};
    const Card *floor = nullptr;
    std::string line;
};

int main() {
    std::ios::sync_with_stdio(false);
    std::string line, out;
    std::getline(std::cin, line);
    int tests = std::stoi(line);
    for (int test = 1; test <= tests; test++) {
        std::string last;
        std::getline(std::cin, last);
        std::getline(std::cin, line);
        Generator generator(parse(line));
        if (last == "PASSO") {
            for (int n = 1; n <= 4; n++) generator.list({1, n}, nullptr);
            for (int n = 3; n <= 14; n++) generator.list({n, 1}, nullptr);
            for (int n = 3; n <= 14; n++) generator.list({n, 2}, nullptr);
        } else {
            Cards cards = parse(last);
            Shape shape = shapeOf(cards);
            if (shape.values) generator.list(shape, &cards.back());
            if (shape.values == 1 && cards.back().value == 14 && shape.copies < 4) {
                if (shape.copies == 1) generator.list({1, 4}, nullptr);
                generator.list({shape.copies + 2, 2}, nullptr);
            }
        }
        out += "Teste " + std::to_string(test) + '\n' + (generator.out.empty() ? "PASSO\n" : generator.out);
    }
    std::fwrite(out.data(), 1, out.size(), stdout);
}
