// Reads a profile's file by its documentation alone: the page's own reader is under test.
import {readFileSync} from 'node:fs';

function numbers(json) {
  if (Array.isArray(json)) return json;
  if (json.range) return Array.from({length: json.range[1]}, (_, i) => json.range[0] + i);
  if (json.runs) {
    const list = [];
    for (let i = 0; i < json.runs.length; i += 2) {
      for (let k = 0; k < json.runs[i + 1]; ++k) list.push(json.runs[i]);
    }
    return list;
  }
  const [key, text] = Object.entries(json)[0];
  const bytes = Buffer.from(text, 'base64');
  const width = Number(key.slice(1)) / 8;
  return Array.from({length: bytes.length / width}, (_, i) =>
      width === 8 ? Number(bytes.readBigUInt64LE(8 * i)) : bytes.readUIntLE(width * i, width));
}

export function readProfile(path) {
  const json = JSON.parse(readFileSync(path, 'utf8'));
  const columns = Object.fromEntries(
      Object.entries(json.supersteps).map(([name, value]) => [name, name === 'count' ? value : numbers(value)]));
  const rows = json.compute_rows.map(numbers);
  const busy = (exchange, setup, tile) => {
    if (!exchange) return null;
    const at = numbers(exchange.tile).indexOf(tile);
    if (at < 0) return null;
    const of = name => numbers(exchange[name])[at];
    return {cycles: setup + of('cycles') + of('rearrange_cycles'), received: of('bytes_received'),
      sent: of('bytes_sent'), rearranging: of('rearrange_cycles')};
  };
  return {
    json,
    columns,
    compute: (tile, s) => rows[columns.compute_row[s]][tile] ?? 0,
    exchange: (tile, s, side) => {
      const step = json.steps[columns.step[s]];
      return busy(step[side], step.exchange_setup_cycles, tile);
    },
    end: s => columns.start_cycle[s] + columns.sync_cycles[s] + columns.exchange_before_cycles[s] +
        columns.compute_cycles[s] + columns.exchange_after_cycles[s] + columns.host_cycles[s],
  };
}

export const grouped = number => number.toLocaleString('en-US');
