// What the flame graph says of one tile in one superstep, for the pointer and for the panel below.

function activityAt(model, tile, superstep, cycle) {
  const s = model.supersteps;
  if (cycle < s.start[superstep] || cycle >= s.end[superstep]) return 'idle';
  if (cycle >= s.hostStart[superstep]) return 'host';
  const busy = (start, cycles) => cycle >= start[superstep] && cycle < start[superstep] + cycles;
  if (busy(s.computeStart, model.computeOf(tile, superstep))) return 'compute';
  if (busy(s.beforeStart, model.exchangeOf(tile, superstep, 'before'))) return 'exchange';
  if (busy(s.afterStart, model.exchangeOf(tile, superstep, 'after'))) return 'exchange';
  return 'sync';
}

function superstepTitle(model, superstep) {
  return model.steps[model.supersteps.step[superstep]].name || 'unnamed step';
}

// [label, value, colour] of everything known.
function superstepFigures(model, tile, superstep) {
  const s = model.supersteps, step = model.steps[s.step[superstep]];
  const detailed = superstep < model.detail;
  const compute = model.computeOf(tile, superstep);
  const before = model.exchangeOf(tile, superstep, 'before');
  const after = model.exchangeOf(tile, superstep, 'after');
  const total = s.end[superstep] - s.start[superstep];
  const waits = total - compute - before - after - s.host[superstep];
  const cycles = number => `${grouped(number)} cycles`;
  const of = (own, slowest) => own === slowest ? cycles(own) : `${grouped(own)} of ${cycles(slowest)}`;
  const rows = [
    ['Tile', model.machine.chips > 1 ? `${tile} (chip ${model.chipOf(tile)})` : String(tile)],
    ['Superstep', `${grouped(superstep)}, iteration ${grouped(s.iteration[superstep])}`],
    ['Compute', of(compute, s.compute[superstep]), 'compute'],
  ];
  for (const [side, own] of [['before', before], ['after', after]]) {
    if (s[side][superstep] === 0) continue;
    rows.push([`Exchange ${side}`, of(own, s[side][superstep]), 'exchange']);
    const exchange = step[side];
    if (!detailed || !exchange || exchange.busy[tile] === 0) continue;
    rows.push(['\u2003received, sent',
      `${grouped(exchange.bytes_received[tile])} B, ${grouped(exchange.bytes_sent[tile])} B`]);
    if (exchange.rearrange_cycles[tile] > 0) {
      rows.push(['\u2003rearranging', cycles(exchange.rearrange_cycles[tile])]);
    }
  }
  rows.push(['Sync and waiting', cycles(waits), 'sync']);
  if (s.host[superstep] > 0) rows.push(['Host', cycles(s.host[superstep]), 'host']);
  rows.push(['Whole superstep', `${cycles(total)}, ${timeText(model.seconds(total))}`]);
  rows.push(['Starts at cycle', grouped(s.start[superstep])]);
  return rows;
}
