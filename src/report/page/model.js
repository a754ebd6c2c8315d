// The profile as the page uses it: columns of supersteps, sums by step and by tile, and for every
// tile the cycles it had spent before each superstep, from which any stretch of time is a
// subtraction away.
//
// A superstep is laid out from its start as sync, exchange before, compute, exchange after, host.

function dense(exchange, setup, tiles) {
  if (!exchange) return null;
  const tile = decodeNumbers(exchange.tile, Uint32Array);
  const columns = {};
  for (const name of ['cycles', 'rearrange_cycles', 'bytes_sent', 'bytes_received', 'bytes_local']) {
    columns[name] = new Float64Array(tiles);
    const values = decodeNumbers(exchange[name]);
    for (let i = 0; i < tile.length; ++i) columns[name][tile[i]] += values[i];
  }
  const busy = new Float64Array(tiles);
  for (const t of tile) busy[t] = setup + columns.cycles[t] + columns.rearrange_cycles[t];
  return {...columns, busy, takesPart: tile.length};
}

// The scopes around a step, outermost first; sequences say nothing.
function scopesAround(step, scopes) {
  const around = [];
  for (let at = step.parent; at >= 0; at = scopes[at].parent) {
    if (scopes[at].name !== 'sequence') around.unshift(at);
  }
  return around;
}

// Their names, without that of a loop before the step that decides it, which is named like it.
function pathOf(step, scopes) {
  const names = scopesAround(step, scopes).map(at => scopes[at].name);
  return names.at(-1) === step.name ? names.slice(0, -1) : names;
}

function readSteps(json, tiles) {
  return json.steps.map((step, index) => ({
    index,
    name: step.name,
    kind: step.kind,
    path: pathOf(step, json.scopes),
    outermost: scopesAround(step, json.scopes)[0] ?? -1,
    vertices: step.vertices,
    before: dense(step.before, step.exchange_setup_cycles, tiles),
    after: dense(step.after, step.exchange_setup_cycles, tiles),
  }));
}

function readSupersteps(json) {
  const columns = json.supersteps;
  const s = {
    count: columns.count,
    step: decodeNumbers(columns.step, Uint32Array),
    iteration: decodeNumbers(columns.iteration, Uint32Array),
    row: decodeNumbers(columns.compute_row, Uint32Array),
    start: decodeNumbers(columns.start_cycle),
    sync: decodeNumbers(columns.sync_cycles),
    before: decodeNumbers(columns.exchange_before_cycles),
    compute: decodeNumbers(columns.compute_cycles),
    after: decodeNumbers(columns.exchange_after_cycles),
    host: decodeNumbers(columns.host_cycles),
  };
  // All tiles together; written where rows are left out.
  if (columns.busy_cycles) s.busy = decodeNumbers(columns.busy_cycles);
  s.beforeStart = s.start.map((start, i) => start + s.sync[i]);
  s.computeStart = s.beforeStart.map((start, i) => start + s.before[i]);
  s.afterStart = s.computeStart.map((start, i) => start + s.compute[i]);
  s.hostStart = s.afterStart.map((start, i) => start + s.after[i]);
  s.end = s.hostStart.map((start, i) => start + s.host[i]);
  return s;
}

// Sums before each element, and of all.
function prefix(values) {
  const sums = new Float64Array(values.length + 1);
  for (let i = 0; i < values.length; ++i) sums[i + 1] = sums[i] + values[i];
  return sums;
}

class Model {
  constructor(json, detail) {
    this.program = json.program;
    this.failure = json.failure;
    this.machine = json.machine;
    this.tiles = json.machine.chips * json.machine.tiles_per_chip;
    this.cycles = json.cycles;
    this.dropped = json.dropped_supersteps;
    this.clock = json.machine.clock_hz;
    this.hostTimes = json.host_times;
    this.rearrangements = json.rearrangements;
    this.steps = readSteps(json, this.tiles);
    this.supersteps = readSupersteps(json);
    this.rows = json.compute_rows.map(row => decodeNumbers(row, Uint32Array));
    // Supersteps from here on are known by their slowest tile only.
    this.detail = Math.min(detail, this.supersteps.count);
    this.end = this.supersteps.count > 0 ? this.supersteps.end.at(-1) : this.cycles;
    this.spans = this.outermostSpans(json.scopes);
    this.readMemory(json);
    this.addUpTiles();
    this.addUpSteps();
  }

  seconds(cycles) {
    return this.clock > 0 ? cycles / this.clock : 0;
  }

  chipOf(tile) {
    return Math.floor(tile / this.machine.tiles_per_chip);
  }

  computeOf(tile, superstep) {
    if (superstep >= this.detail) return this.supersteps.compute[superstep];
    const row = this.rows[this.supersteps.row[superstep]], slowest = this.supersteps.compute[superstep];
    return row.length === 0 ? slowest : Math.min(row[tile], slowest);
  }

  // What a tile does in the exchange 'before' or 'after' of a superstep, set-up included.
  exchangeOf(tile, superstep, side) {
    const phase = this.supersteps[side][superstep];
    if (superstep >= this.detail) return phase;
    const exchange = this.steps[this.supersteps.step[superstep]][side];
    return exchange ? Math.min(exchange.busy[tile], phase) : 0;
  }

  // The last superstep that starts at or before a cycle.
  superstepAt(cycle) {
    const start = this.supersteps.start;
    let low = 0, high = start.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (start[middle] <= cycle) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  // Stretches of supersteps within the same outermost loop, branch or function.
  outermostSpans(scopes) {
    const s = this.supersteps, spans = [];
    for (let i = 0; i < s.count; ++i) {
      const {outermost: scope, kind} = this.steps[s.step[i]];
      const last = spans.at(-1);
      // What decides on a loop may stand outside of it and still does not end it.
      if (scope < 0 && kind === 'control' && last?.last === i - 1) last.last = i;
      if (scope < 0) continue;
      if (last?.scope === scope && last.last === i - 1) {
        last.last = i;
        last.end = s.end[i];
        last.iterations = Math.max(last.iterations, s.iteration[i] + 1);
      } else {
        spans.push({scope, name: scopes[scope].name, last: i, start: s.start[i], end: s.end[i],
          iterations: s.iteration[i] + 1});
      }
    }
    return spans;
  }

  // Tile-major, so that drawing one tile walks along memory: computeBefore[t * (detail + 1) + s]
  // are the compute cycles of tile t before superstep s.
  addUpTiles() {
    const {tiles, detail, supersteps} = this;
    const stride = detail + 1;
    this.stride = stride;
    this.computeBefore = new Float64Array(tiles * stride);
    this.exchangeBefore = new Float64Array(tiles * stride);
    const block = 64; // tiles at a time, so that writes stay within the cache
    for (let first = 0; first < tiles; first += block) {
      const last = Math.min(tiles, first + block);
      for (let s = 0; s < detail; ++s) {
        const row = this.rows[supersteps.row[s]];
        const most = supersteps.compute[s];
        const step = this.steps[supersteps.step[s]];
        const before = step.before?.busy, after = step.after?.busy;
        for (let t = first; t < last; ++t) {
          const at = t * stride + s;
          const compute = row.length === 0 ? most : Math.min(row[t], most);
          let exchange = 0;
          if (before) exchange += Math.min(before[t], supersteps.before[s]);
          if (after) exchange += Math.min(after[t], supersteps.after[s]);
          this.computeBefore[at + 1] = this.computeBefore[at] + compute;
          this.exchangeBefore[at + 1] = this.exchangeBefore[at] + exchange;
        }
      }
    }
    this.tileCompute = new Float64Array(tiles);
    this.tileExchange = new Float64Array(tiles);
    for (let t = 0; t < tiles; ++t) {
      this.tileCompute[t] = this.computeBefore[t * stride + detail];
      this.tileExchange[t] = this.exchangeBefore[t * stride + detail];
    }
  }

  addUpSteps() {
    const s = this.supersteps;
    this.costs = this.steps.map(step => ({
      step, runs: 0, cycles: 0, compute: 0, exchange: 0, sync: 0, host: 0, busy: 0, known: 0, bytes: 0, first: -1,
    }));
    this.totals = {compute: 0, exchange: 0, sync: 0, host: 0, busy: 0, known: 0, bytes: 0};
    const busyOfRow = this.rows.map(row => row.reduce((sum, cycles) => sum + cycles, 0));
    s.busy ??= Float64Array.from(s.row, row => busyOfRow[row]);
    this.notByTile = 0;
    for (let i = 0; i < s.count; ++i) {
      const cost = this.costs[s.step[i]];
      if (cost.first < 0) cost.first = i;
      ++cost.runs;
      cost.cycles += s.end[i] - s.start[i];
      cost.compute += s.compute[i];
      cost.exchange += s.before[i] + s.after[i];
      cost.sync += s.sync[i];
      cost.host += s.host[i];
      if (s.busy[i] > 0) {
        cost.busy += s.busy[i];
        cost.known += s.compute[i];
      } else if (s.compute[i] > 0) {
        // Control code is the same on all tiles; of vertices only the slowest tile is known.
        if (cost.step.kind === 'execute') ++this.notByTile;
        s.busy[i] = s.compute[i] * this.tiles;
      }
    }
    for (const cost of this.costs) {
      for (const side of [cost.step.before, cost.step.after]) {
        if (side) cost.bytes += cost.runs * side.bytes_received.reduce((a, b) => a + b, 0);
      }
      cost.balance = cost.known > 0 ? cost.busy / (cost.known * this.tiles) : NaN;
      for (const key of Object.keys(this.totals)) this.totals[key] += cost[key];
    }
    this.balance = this.totals.known > 0 ? this.totals.busy / (this.totals.known * this.tiles) : NaN;
  }

  readMemory(json) {
    const memory = json.memory;
    this.memory = {
      alwaysLive: decodeNumbers(memory.always_live),
      shared: decodeNumbers(memory.shared),
      padding: decodeNumbers(memory.padding),
    };
    this.memory.total = this.memory.alwaysLive.map(
        (bytes, t) => bytes + this.memory.shared[t] + this.memory.padding[t]);
    this.limit = json.machine.bytes_per_tile;
    this.items = json.memory_items.map(item => {
      const tile = decodeNumbers(item.tile, Uint32Array);
      const bytes = decodeNumbers(item.bytes);
      let sum = 0, most = 0;
      for (const size of bytes) {
        sum += size;
        if (size > most) most = size;
      }
      return {name: item.name, kind: item.kind, alwaysLive: item.always_live, tile, bytes, sum, most};
    });
  }

  // What lies on one tile, largest first.
  itemsOn(tile) {
    const list = [];
    for (const item of this.items) {
      let size = 0;
      for (let i = 0; i < item.tile.length; ++i) if (item.tile[i] === tile) size += item.bytes[i];
      if (size > 0) list.push({item, bytes: size});
    }
    return list.sort((a, b) => b.bytes - a.bytes);
  }
}
