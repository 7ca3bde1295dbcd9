#!/bin/sh
# A bot for every game: plays the first legal move. The protocol is in docs/bots.md.
first=
while read -r word rest; do
    case $word in
        ludoteca) echo "ludoteca 1" ;;
        legal) first=${first:-$rest} ;;
        move)
            echo "$first"
            first=
            ;;
    esac
done
