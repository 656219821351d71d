// A bot that orders at random, in C++17 without libraries.
#include <cstdlib>
#include <iostream>
#include <map>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

// --- JSON, as far as needed here -------------------------------------------------

struct Json {
    std::string text;  // of a string; of a number, true, false, null: as written
    std::vector<Json> items;
    std::vector<std::pair<std::string, Json>> fields;

    const Json& operator[](const std::string& name) const {
        for (const auto& field : fields)
            if (field.first == name) return field.second;
        throw std::runtime_error("no field " + name);
    }
};

class Parser {
  public:
    explicit Parser(const std::string& line) : line_(line) {}

    Json value() {
        Json found;
        char first = peek();
        if (first == '{') {
            list('}', [&] {
                peek();
                std::string name = string();
                expect(':');
                found.fields.emplace_back(name, value());
            });
        } else if (first == '[') {
            list(']', [&] { found.items.push_back(value()); });
        } else if (first == '"') {
            found.text = string();
        } else {
            while (at_ < line_.size() && !is_end(line_[at_])) found.text += line_[at_++];
        }
        return found;
    }

  private:
    static bool is_end(char c) { return std::string(",]} \t\r\n").find(c) != std::string::npos; }

    char peek() {
        while (at_ < line_.size() && isspace(static_cast<unsigned char>(line_[at_]))) ++at_;
        if (at_ == line_.size()) throw std::runtime_error("the line ends too early");
        return line_[at_];
    }

    void expect(char wanted) {
        if (peek() != wanted) throw std::runtime_error(std::string("expected ") + wanted);
        ++at_;
    }

    template <typename Item> void list(char end, Item item) {
        ++at_;
        if (peek() != end)
            for (item(); peek() == ','; item()) ++at_;
        expect(end);
    }

    std::string string() {
        expect('"');
        std::string found;
        for (; line_.at(at_) != '"'; ++at_) {
            if (line_[at_] != '\\') { found += line_[at_]; continue; }
            char escaped = line_.at(++at_);
            if (escaped == 'u') {
                int code = std::stoi(line_.substr(at_ + 1, 4), nullptr, 16);
                at_ += 4;
                found += code < 0x80 ? static_cast<char>(code) : '?';
            } else {
                const std::map<char, char> known{{'n', '\n'}, {'t', '\t'}, {'r', '\r'}};
                found += known.count(escaped) ? known.at(escaped) : escaped;
            }
        }
        ++at_;
        return found;
    }

    const std::string& line_;
    std::size_t at_ = 0;
};

// --- The bot ---------------------------------------------------------------------

int main() {
    std::mt19937 chance;
    for (std::string text; std::getline(std::cin, text);) {
        const Json line = Parser(text).value();
        const std::string type = line["type"].text;
        if (type == "hello") {
            // std::endl flushes, which is essential.
            std::cout << R"({"type":"ready","name":"RandomC++","wants":["possible"]})" << std::endl;
        } else if (type == "start") {
            chance.seed(std::stoul(line["seed"].text));
        } else if (type == "turn" && line["due"].text != "0") {
            std::size_t due = std::stoul(line["due"].text);
            std::string orders;
            for (const auto& unit : line["possible"].fields) {
                const auto& choices = unit.second.items;
                if (due-- == 0) break;
                // Orders are ASCII text that needs no escapes.
                orders += (orders.empty() ? "\"" : ",\"") + choices[chance() % choices.size()].text + '"';
            }
            std::cout << R"({"type":"orders","phase":")" << line["phase"].text
                      << R"(","orders":[)" << orders << "]}" << std::endl;
        } else if (type == "over") {
            std::cerr << line["result"].text << std::endl;
        }
    }
}
