#!/usr/bin/env bash
# A bot that orders at random: Bash, and one jq that reads and writes all lines.
#
# jq has no random numbers: they are computed from the seed of the game.
exec jq --unbuffered --compact-output --raw-input --null-input '
  def next: (. * 1103515245 + 12345) % 2147483648;

  foreach (inputs | fromjson) as $line (
    {chance: 1, say: null};

    .say = null
    | if $line.type == "hello" then
        .say = {type: "ready", name: "RandomSh", version: "1", wants: ["possible"]}
      elif $line.type == "start" then
        .chance = $line.seed % 65536
      elif $line.type == "turn" and $line.due > 0 then
        reduce ($line.possible | to_entries[].value) as $choices (
          .orders = [];
          .chance = (.chance % 65536 | next)
          | .orders += [$choices[(.chance / 65536 | floor) % ($choices | length)]]
        )
        | .say = {type: "orders", phase: $line.phase, orders: .orders[:$line.due]}
      else
        .
      end;

    .say // empty
  )'
