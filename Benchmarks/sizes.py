"""Prints the bytes of changesets as they are sent in each content coding, beside the bytes of the best patch of the two snapshots.

sizes.py PROGRAM

PROGRAM is the program relist. The list has 500 cells of about 350 bytes. The patch is made by `zstd -19 --patch-from`, which reads the
content of both snapshots. It is a floor for what a server can send without knowing the list.
"""

import json
import os
import random
import subprocess
import sys
import tempfile

CODINGS = ('identity', 'zstd', 'br', 'gzip')
WORDS = 'Aiguille Roche Mont Pic Dent Glacier Grand Petit Blanc Noir Rouge Vert'.split()


def cell(number, chance):
    name = ' '.join(chance.sample(WORDS, 3))
    return {
        'id': f'7534-{number}',
        'type': 'delivery',
        'title': name,
        'subtitle': f'{chance.randrange(1, 29)} {chance.choice(["May", "June", "July"])} 2026, {chance.choice(WORDS)}',
        'weight': chance.randrange(1000, 40_000),
        'moisture': chance.randrange(100, 200) / 10,
        'vehicle': f'{chance.randrange(1000, 9999)}-{chance.choice(WORDS)}',
        'action': {'name': 'open', 'input': {'delivery': f'7534-{number}'}},
        'actions': [
            {'name': 'cancel', 'title': 'Cancel', 'isDestructive': True, 'input': {'delivery': f'7534-{number}'}},
            {'name': 'weigh', 'title': 'Weigh', 'input': {'delivery': f'7534-{number}'}},
        ],
    }


def edits(cells, chance):
    """Yields the name of each edit, and the list before and after the edit."""
    renamed = [dict(one) for one in cells]
    renamed[250]['weight'] += 100
    yield 'one field of one cell', cells, renamed
    yield 'one cell inserted at the beginning', cells, [cell(1000, chance), *cells]
    mixed = [dict(one) for one in cells]
    for _ in range(len(cells) // 200):
        mixed.pop(chance.randrange(len(mixed)))
        mixed.insert(chance.randrange(len(mixed)), cell(chance.randrange(2000, 9000), chance))
        mixed.insert(chance.randrange(len(mixed)), mixed.pop(chance.randrange(len(mixed))))
        mixed[chance.randrange(len(mixed))]['weight'] += 1
    yield '2 % of the cells deleted, inserted, moved or changed', cells, mixed
    found = [one for one in cells if chance.random() < 0.12]
    yield 'a search that leaves 12 % of the cells', cells, found
    yield 'all cells sorted', cells, sorted(cells, key=lambda one: one['title'])
    yield 'the search cleared', found, cells


def snapshot(cells, chance):
    version = ''.join(chance.choices('abcdefghijklmnopqrstuvwxyz234567', k=26))
    document = {
        'kind': 'snapshot',
        'screen': 'samples',
        'version': version,
        'layout': 'table',
        'title': 'ORGE PLANET',
        'sections': [{'id': 'all', 'cells': cells}],
    }
    return json.dumps(document, separators=(',', ':')).encode()


def sizes(program, folder, old, new):
    """Returns the bytes of the changeset and of the new snapshot by coding, and the bytes of the best patch."""
    paths = [os.path.join(folder, name) for name in ('old.json', 'new.json')]
    for path, document in zip(paths, (old, new), strict=True):
        with open(path, 'wb') as file:
            file.write(document)
    lines = subprocess.run([program, 'diff', *paths, '--sizes'], check=True, capture_output=True, text=True).stdout.splitlines()
    names = lines[0].split()
    rows = {line.split()[0]: dict(zip(names, map(int, line.split()[1:]), strict=True)) for line in lines[1:]}
    patch = subprocess.run(['zstd', '-q', '-19', f'--patch-from={paths[0]}', paths[1], '-c'], check=True, capture_output=True).stdout
    return rows['changeset'], rows['snapshot'], len(patch)


def main(program):
    chance = random.Random(38)
    cells = [cell(number, chance) for number in range(500)]
    print(f'{"bytes of the changeset (of the snapshot)":55}' + ''.join(f'{name:>16}' for name in CODINGS) + f'{"best patch":>12}')
    with tempfile.TemporaryDirectory() as folder:
        for name, old, new in edits(cells, chance):
            changeset, whole, patch = sizes(program, folder, snapshot(old, chance), snapshot(new, chance))
            columns = ''.join(f'{f"{changeset[coding]} ({whole[coding]})":>16}' for coding in CODINGS)
            print(f'{name:55}{columns}{patch:>12}')


main(sys.argv[1])
