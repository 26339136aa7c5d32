import assert from 'node:assert/strict';
import './browser.mjs';
import { test } from 'node:test';
import { qrCode } from '../../Public/page/using/qr.js';

// The expected codes were drawn by another program (the package qrcode for Python, level M, mask 0), and read by zbarimg.
const address = `
#######..###...##.#######
#.....#.#.#.#..#..#.....#
#.###.#...##..##..#.###.#
#.###.#..##.#.....#.###.#
#.###.#.##.#...##.#.###.#
#.....#..#..##.##.#.....#
#######.#.#.#.#.#.#######
.........#...#.#.........
#.#.#.#.....###.....#..#.
..##........#.#...##....#
#..#..#.###.###.#.###.###
#...#..#.#...#..#####..#.
##...###....#####.##.#.##
..#......#.##.#..###.#..#
#.###.#.#####.#.##.##.###
.###...#..#.##.#.###.#.#.
#.#..##.#..###########...
........####.##.#...#####
#######...#...###.#.#..##
#.....#...#.##.##...##...
#.###.#.##.####.#####....
#.###.#...#...####..#.#..
#.###.#.#.#.#.####..##..#
#.....#..###.#..##..##.#.
#######.##...##.####...##
`;

const drawn = (rows) => rows.map((row) => row.map((isDark) => (isDark ? '#' : '.')).join(''));

test('the QR code of an address is as other programs draw it', () => {
  assert.deepEqual(drawn(qrCode('http://192.168.1.20:8080/')), address.trim().split('\n'));
});

test('a QR code with several blocks is as other programs draw it', async () => {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(drawn(qrCode('x'.repeat(106))).join('\n')));
  assert.equal(Buffer.from(hash).toString('hex'), '655b5359fc94271d3ac5099bfe517c086adc96860dc4a1a4f84aa2f313abd7b8');
});

test('a text of more than 106 bytes has no QR code', () => {
  assert.equal(qrCode('x'.repeat(107)), undefined);
});
