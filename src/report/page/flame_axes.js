// What stands around the pixels of the flame graph: cycles below, tiles at the left, steps above.

// A step of 1, 2 or 5 times a power of ten that gives about `count` ticks.
function niceStep(range, count) {
  const rough = range / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(rough));
  const factor = rough / power;
  return power * (factor <= 1 ? 1 : factor <= 2 ? 2 : factor <= 5 ? 5 : 10);
}

// All labels of an axis in one unit, with the decimals that tell its ticks apart; in full where
// these would be many.
function cycleLabel(cycle, step, largest) {
  for (const [unit, size] of [['G', 1e9], ['M', 1e6], ['k', 1e3]]) {
    const decimals = Math.max(0, Math.ceil(Math.log10(size / step) - 1e-9));
    if (largest < size || decimals > 4) continue;
    return cycle === 0 ? '0' : `${(cycle / size).toFixed(decimals)} ${unit}`;
  }
  return grouped(cycle);
}

function drawCycleAxis(context, {left, top, width}, {c0, c1}, colors) {
  const step = Math.max(1, niceStep(c1 - c0, width / 90));
  context.fillStyle = colors.muted;
  context.strokeStyle = colors.line;
  context.textBaseline = 'top';
  context.textAlign = 'center';
  for (let cycle = Math.ceil(c0 / step) * step; cycle <= c1; cycle += step) {
    const x = left + (cycle - c0) / (c1 - c0) * width;
    context.beginPath();
    context.moveTo(x, top);
    context.lineTo(x, top + 4);
    context.stroke();
    const label = cycleLabel(cycle, step, c1), half = context.measureText(label).width / 2;
    context.fillText(label, Math.max(left + half, Math.min(x, left + width - half)), top + 6);
  }
}

function drawTileAxis(context, {left, top, height}, {t0, t1}, model, colors) {
  const step = Math.max(1, niceStep(t1 - t0, height / 46));
  const high = height / (t1 - t0);
  context.fillStyle = colors.muted;
  context.strokeStyle = colors.line;
  context.textAlign = 'right';
  context.textBaseline = 'middle';
  for (let tile = Math.ceil(t0 / step) * step; tile < t1; tile += step) {
    // Where tiles are tall the number stands at their middle.
    const y = top + (tile - t0 + (high > 8 ? 0.5 : 0)) * high;
    if (y < top + 5 || y > top + height - 3) {
      if (tile !== 0) continue;
    }
    context.fillText(String(tile), left - 7, Math.max(y, top + 6));
  }
  for (let chip = 1; chip < model.machine.chips; ++chip) {
    const tile = chip * model.machine.tiles_per_chip;
    if (tile <= t0 || tile >= t1) continue;
    const y = Math.round(top + (tile - t0) * high) + 0.5;
    context.strokeStyle = colors.text;
    context.beginPath();
    context.moveTo(left - 5, y);
    context.lineTo(left, y);
    context.stroke();
  }
}

// Text cut to a width, with an ellipsis; empty if next to nothing would be left.
function fittedText(context, text, width) {
  if (context.measureText(text).width <= width) return text;
  let low = 0, high = text.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (context.measureText(text.slice(0, middle) + '\u2026').width <= width) low = middle;
    else high = middle - 1;
  }
  return low < 2 ? '' : text.slice(0, low) + '\u2026';
}

function drawBlock(context, from, to, {top, height}, name, colors) {
  context.fillStyle = colors.block;
  context.fillRect(from, top, to - from - 1, height);
  const label = to - from > 34 ? fittedText(context, name, to - from - 11) : '';
  if (!label) return;
  context.fillStyle = colors.text;
  context.fillText(label, from + 5, top + height / 2 + 0.5);
}

// The outermost loops, branches and functions.
function drawScopeLane(context, lane, {c0, c1}, model, colors) {
  context.textAlign = 'left';
  context.textBaseline = 'middle';
  const scale = lane.width / (c1 - c0);
  for (const {start, end, name, iterations} of model.spans) {
    if (end < c0 || start > c1) continue;
    const from = Math.max(lane.left, lane.left + (start - c0) * scale);
    const to = Math.min(lane.left + lane.width, lane.left + (end - c0) * scale);
    if (to - from < 3) continue;
    const times = iterations > 1 ? `, ${grouped(iterations)} iterations` : '';
    drawBlock(context, from, to, lane, name + times, colors);
  }
}

// The steps as blocks; those too narrow to be told apart are one band.
function drawStepLane(context, {left, top, width, height}, {c0, c1}, model, colors) {
  const s = model.supersteps;
  const scale = width / (c1 - c0);
  context.textAlign = 'left';
  context.textBaseline = 'middle';
  context.fillStyle = colors.lane;
  context.fillRect(left, top, width, height);
  for (let i = model.superstepAt(c0); i < s.count && s.start[i] < c1; ++i) {
    const from = Math.max(left, left + (s.start[i] - c0) * scale);
    const to = Math.min(left + width, left + (s.end[i] - c0) * scale);
    if (to - from < 3) continue;
    drawBlock(context, from, to, {top, height}, model.steps[s.step[i]].name, colors);
  }
}
