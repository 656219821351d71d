// A bot that orders at random, in Java without libraries.
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;

public class RandomBot {
    public static void main(String[] arguments) throws IOException {
        var input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        // Its println flushes, which is essential.
        var output = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        var chance = new Random();
        for (String text = input.readLine(); text != null; text = input.readLine()) {
            var line = (Map<?, ?>) new Json(text).value();
            switch ((String) line.get("type")) {
                case "hello" -> output.println(
                    "{\"type\":\"ready\",\"name\":\"RandomJava\",\"wants\":[\"possible\"]}");
                case "start" -> chance.setSeed(((Double) line.get("seed")).longValue());
                case "turn" -> {
                    String orders = ((Map<?, ?>) line.get("possible")).values().stream()
                        .limit(((Double) line.get("due")).longValue())
                        .map(choices -> pick((List<?>) choices, chance))
                        .collect(Collectors.joining(","));
                    output.println("{\"type\":\"orders\",\"phase\":\"" + line.get("phase")
                        + "\",\"orders\":[" + orders + "]}");
                }
                case "over" -> System.err.println(line.get("result"));
                default -> { }
            }
        }
    }

    // Orders are ASCII text without escapes.
    static String pick(List<?> choices, Random chance) {
        return '"' + (String) choices.get(chance.nextInt(choices.size())) + '"';
    }

    /** JSON: objects as maps, arrays as lists, numbers as doubles. */
    static class Json {
        private final String text;
        private int at = 0;

        Json(String text) { this.text = text; }

        Object value() {
            return switch (peek()) {
                case '{' -> {
                    var found = new LinkedHashMap<String, Object>();
                    list('}', () -> {
                        peek();
                        String name = string();
                        expect(':');
                        found.put(name, value());
                    });
                    yield found; }
                case '[' -> {
                    var found = new ArrayList<Object>();
                    list(']', () -> found.add(value()));
                    yield found; }
                case '"' -> string();
                default -> word();
            };
        }

        private Object word() {
            int start = at;
            while (at < text.length() && ",]} \t".indexOf(text.charAt(at)) < 0) at++;
            String word = text.substring(start, at);
            return switch (word) {
                case "true" -> true;
                case "false" -> false;
                case "null" -> null;
                default -> Double.valueOf(word);
            };
        }

        private char peek() {
            while (Character.isWhitespace(text.charAt(at))) at++;
            return text.charAt(at);
        }

        private void expect(char wanted) {
            if (peek() != wanted) throw new IllegalArgumentException("expected " + wanted);
            at++;
        }

        private void list(char end, Runnable item) {
            for (at++; peek() != end; ) {
                item.run();
                if (peek() == ',') at++;
            }
            expect(end);
        }

        private String string() {
            var found = new StringBuilder();
            for (at++; text.charAt(at) != '"'; at++) {
                char next = text.charAt(at);
                if (next == '\\') next = escaped(text.charAt(++at));
                found.append(next);
            }
            at++;
            return found.toString();
        }

        private char escaped(char letter) {
            int known = "bfnrt".indexOf(letter);
            if (letter != 'u') return known < 0 ? letter : "\b\f\n\r\t".charAt(known);
            at += 4;
            return (char) Integer.parseInt(text.substring(at - 3, at + 1), 16);
        }
    }
}
