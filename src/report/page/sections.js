// The parts of the page around the flame graph.

function legend(id, entries) {
  byId(id).replaceChildren(...entries.map(([label, color]) =>
      element('li', {class: 'swatch', style: `--swatch: var(--${color})`}, label)));
}

function emptyNote(text) {
  return element('p', {class: 'muted empty'}, text);
}

function showHeading(model) {
  const {machine} = model;
  byId('title').textContent = model.program || 'Profile';
  const chips = machine.chips > 1 ? `${machine.chips} chips of ` : '';
  byId('subtitle').textContent = `${machine.name}: ${chips}${grouped(machine.tiles_per_chip)} tiles at ` +
      `${threeDigits(machine.clock_hz / 1e9)} GHz, ${memoryText(machine.bytes_per_tile)} each`;
  byId('sections').replaceChildren(...[...document.querySelectorAll('main section[data-title]')].map(
      section => element('a', {href: `#${section.id}`}, section.dataset.title)));
  if (model.failure) {
    // What happened stands out; the particulars, one a line, follow.
    const [first, ...rest] = model.failure.split('\n');
    const [what, ...particulars] = first.split(/: (.*)/s).filter(part => part !== '');
    const lines = [...particulars.flatMap(text => text.split('; ')), ...rest];
    byId('failure').hidden = false;
    byId('failure').append(element('strong', {}, what), ...lines.map(line => element('p', {}, line)));
  }
}

function showFigures(model) {
  const share = cycles => model.cycles > 0 ? cycles / model.cycles : NaN;
  const {totals, supersteps} = model;
  const figures = [];
  const add = (label, value, note, color) => figures.push(element('div', {class: color ? 'figure swatch-bar' : 'figure',
    style: color ? `--swatch: var(--${color})` : null},
  element('dt', {}, label), element('dd', {}, value), element('dd', {class: 'note'}, note)));
  if (supersteps.count > 0) {
    add('Time', timeText(model.seconds(model.cycles)), cyclesText(model.cycles));
    if (totals.host > 0) {
      const without = model.cycles - totals.host;
      add('Without host', timeText(model.seconds(without)), cyclesText(without));
    }
    add('Supersteps', grouped(supersteps.count),
        model.dropped > 0 ? `${grouped(model.dropped)} more not recorded` : `of ${counted(model.steps.length, 'step', 'steps')}`);
    add('Compute', percentText(share(totals.compute)), cyclesText(totals.compute), 'compute');
    add('Exchange', percentText(share(totals.exchange)), `${bytesText(totals.bytes)} received`, 'exchange');
    add('Sync', percentText(share(totals.sync)), cyclesText(totals.sync), 'sync');
    if (totals.host > 0) add('Host', percentText(share(totals.host)), cyclesText(totals.host), 'host');
    add('Balance', percentText(model.balance), 'mean to slowest');
  }
  if (model.memory.total.length > 0) {
    let fullest = 0, over = 0;
    model.memory.total.forEach((bytes, tile) => {
      if (bytes > model.memory.total[fullest]) fullest = tile;
      if (bytes > model.limit) ++over;
    });
    add('Fullest tile', percentText(model.memory.total[fullest] / model.limit),
        over > 0 ? `${counted(over, 'tile', 'tiles')} over the limit` : `tile ${fullest}`);
  }
  byId('figures').replaceChildren(element('dl', {}, figures));
  byId('figures').hidden = figures.length === 0;
}

// --- steps -----------------------------------------------------------------------------------------

function shareBar(cost, most) {
  const parts = ['compute', 'exchange', 'sync', 'host'].map(name =>
      element('span', {style: `width: ${100 * cost[name] / most}%; background: var(--${name})`}));
  return element('span', {class: 'bar', 'aria-hidden': 'true'}, parts);
}

function showSteps(model, flame) {
  const parent = byId('steps-body');
  const rows = model.costs.filter(cost => cost.runs > 0);
  if (rows.length === 0) {
    parent.append(emptyNote(model.failure ? 'The program did not run.' : 'No superstep was recorded.'));
    return;
  }
  const most = Math.max(...rows.map(cost => cost.cycles), 1);
  const cycles = (title, key, hint) => ({title, number: true, hint, value: cost => cost[key], show: cost => grouped(cost[key])});
  // Each click goes on to the next run of the step.
  const visit = cost => {
    const s = model.supersteps, now = flame.selected?.superstep ?? -1;
    let next = cost.first;
    for (let i = now + 1; i < s.count; ++i) {
      if (s.step[i] === cost.step.index) {
        next = i;
        break;
      }
    }
    flame.select(flame.selected?.tile ?? 0, next);
    flame.view.go(flame.view.superstepBounds(next));
    byId('flame').scrollIntoView({block: 'start'});
  };
  const name = cost => cost.step.name || 'unnamed step';
  parent.append(sortableTable({
    caption: 'Program steps by cost',
    sortBy: 1,
    rows,
    columns: [
      {title: 'Step', value: name, show: cost => element('button', {type: 'button', class: 'link',
        title: 'Show its next run in the flame graph', onclick: () => visit(cost)},
      cost.step.path.length > 0 ? element('span', {class: 'path'}, `${cost.step.path.join(' / ')} / `) : null,
      name(cost)), class: 'step-name'},
      {title: 'Cycles', number: true, value: cost => cost.cycles, show: cost => grouped(cost.cycles)},
      {title: 'Share', value: cost => cost.cycles, number: true, class: 'share',
        show: cost => element('span', {class: 'share-cell'}, shareBar(cost, most),
            element('span', {class: 'share-value'}, percentText(cost.cycles / model.cycles)))},
      cycles('Runs', 'runs', 'How often it ran'),
      cycles('Compute', 'compute', 'Cycles of the slowest tile, all runs'),
      cycles('Exchange', 'exchange', 'Cycles of the slowest tile, rearrangement included'),
      cycles('Sync', 'sync', 'Cycles of synchronising, without waiting for slower tiles'),
      cycles('Host', 'host', 'Cycles of waiting for the host'),
      {title: 'Balance', number: true, hint: 'Compute of the mean tile to the slowest',
        value: cost => cost.balance, show: cost => percentText(cost.balance)},
      {title: 'Received', number: true, hint: 'Bytes that all tiles received', value: cost => cost.bytes,
        show: cost => cost.bytes > 0 ? bytesText(cost.bytes) : '0'},
      {title: 'Vertices', number: true, value: cost => cost.step.vertices, show: cost => grouped(cost.step.vertices)},
      {title: 'Kind', value: cost => cost.step.kind, show: cost => spaced(cost.step.kind)},
    ],
  }));
}

// --- load balance ------------------------------------------------------------------------------------

function showBalance(model, shared) {
  const parent = byId('balance-body');
  if (model.supersteps.count === 0) {
    parent.append(emptyNote('No tile did anything yet.'));
    byId('balance-legend').hidden = true;
    return;
  }
  legend('balance-legend', [['Compute', 'compute'], ['Exchange', 'exchange']]);
  let busiest = 0, idle = 0, sum = 0;
  model.tileCompute.forEach((cycles, tile) => {
    if (cycles > model.tileCompute[busiest]) busiest = tile;
    if (cycles === 0) ++idle;
    sum += cycles;
  });
  const mean = sum / model.tiles;
  const known = model.detail < model.supersteps.count ?
    model.supersteps.end[Math.max(0, model.detail - 1)] : model.end;
  const share = cycles => known > 0 ? cycles / known : 0;
  parent.append(element('dl', {class: 'figures-list'}, [
    ['Compute of the mean tile', `${grouped(mean)} cycles`],
    ['Busiest tile', `${busiest}, ${grouped(model.tileCompute[busiest])} cycles`],
    ['Mean to slowest, each superstep', percentText(model.balance)],
    ['Mean to busiest, whole run', percentText(model.tileCompute[busiest] > 0 ? mean / model.tileCompute[busiest] : NaN)],
    ['Tiles that never computed', grouped(idle)],
  ].map(([label, value]) => element('div', {}, element('dt', {}, label), element('dd', {}, value)))));
  const sortedTiles = () => Uint32Array.from(model.tileCompute.keys()).sort(
      (a, b) => model.tileCompute[b] - model.tileCompute[a] || a - b);
  const box = element('input', {type: 'checkbox', id: 'balance-sorted', onchange: event => {
    chart.setOrder(event.target.checked ? sortedTiles() : null);
    chart.draw();
  }});
  parent.append(element('div', {class: 'toolbar'}, element('label', {}, box, ' Busiest tiles first')));
  const holder = element('div', {class: 'chart'});
  parent.append(holder);
  let most = 0;
  for (let t = 0; t < model.tiles; ++t) most = Math.max(most, share(model.tileCompute[t] + model.tileExchange[t]));
  const chart = new TileChart(holder, {
    title: 'Share of the time that each tile computes and exchanges',
    series: [
      {name: 'Compute', color: 'compute', values: model.tileCompute.map(share)},
      {name: 'Exchange', color: 'exchange', values: model.tileExchange.map(share)},
    ],
    most: Math.max(0.01, Math.min(1, most * 1.1)),
    label: value => `${Number((100 * value).toFixed(1))} %`,
    about: tile => [
      ['Compute', `${grouped(model.tileCompute[tile])} cycles, ${percentText(share(model.tileCompute[tile]))}`, 'compute'],
      ['Exchange', `${grouped(model.tileExchange[tile])} cycles, ${percentText(share(model.tileExchange[tile]))}`, 'exchange'],
    ],
    onSelect: tile => shared.select(tile, 'balance'),
  });
  shared.on('balance', tile => chart.select(tile, false));
}

// --- memory ------------------------------------------------------------------------------------------

function itemTable(rows, caption) {
  return sortableTable({
    caption,
    sortBy: 1,
    most: 12,
    rows,
    columns: [
      {title: 'Name', value: row => row.item.name, show: row => row.item.name || 'unnamed', class: 'step-name'},
      {title: 'Bytes', number: true, value: row => row.bytes, show: row => grouped(row.bytes)},
      {title: 'Most on one tile', number: true, value: row => row.item.most, show: row => grouped(row.item.most)},
      {title: 'Tiles', number: true, value: row => row.item.tile.length, show: row => grouped(row.item.tile.length)},
      {title: 'Kind', value: row => row.item.kind, show: row => spaced(row.item.kind)},
      {title: 'Live', value: row => row.item.alwaysLive ? 'always' : 'shared',
        show: row => row.item.alwaysLive ? 'always' : 'shared',
        hint: 'What is not always live shares its memory with others'},
    ],
  });
}

function showMemory(model, shared) {
  const parent = byId('memory-body');
  const {memory, limit} = model;
  if (memory.total.length === 0) {
    parent.append(emptyNote('Memory was not laid out.'));
    byId('memory-legend').hidden = true;
    return;
  }
  legend('memory-legend', [['Always live', 'live'], ['Shared', 'shared'], ['Padding', 'padding'], ['Limit', 'limit']]);
  const fullest = memory.total.reduce((best, bytes, tile) => bytes > memory.total[best] ? tile : best, 0);
  const over = memory.total.filter(bytes => bytes > limit).length;
  const mean = memory.total.reduce((sum, bytes) => sum + bytes, 0) / memory.total.length;
  parent.append(element('dl', {class: 'figures-list'}, [
    ['Limit of a tile', `${grouped(limit)} B`],
    ['Fullest tile', `${fullest}, ${grouped(memory.total[fullest])} B`],
    ['Mean tile', `${grouped(mean)} B, ${percentText(mean / limit)}`],
    ['Tiles over the limit', grouped(over)],
  ].map(([label, value]) => element('div', over > 0 && label.startsWith('Tiles over') ? {class: 'bad'} : {},
      element('dt', {}, label), element('dd', {}, value)))));
  const holder = element('div', {class: 'chart'});
  const scope = element('div', {class: 'toolbar'});
  const table = element('div', {});
  parent.append(holder, scope, table);
  const showItems = tile => {
    const all = tile === null;
    const rows = all ? model.items.map(item => ({item, bytes: item.sum})) : model.itemsOn(tile);
    const title = all ? 'Largest on all tiles' : `Largest on tile ${tile}`;
    scope.replaceChildren(element('h3', {}, title), all ? '' : element('button', {type: 'button', class: 'button',
      onclick: () => {
        chart.select(-1, false);
        showItems(null);
      }}, 'All tiles'));
    table.replaceChildren(rows.length > 0 ? itemTable(rows, title) : emptyNote('Nothing is kept there.'));
  };
  const chart = new TileChart(holder, {
    title: 'Memory of each tile',
    series: [
      {name: 'Always live', color: 'live', values: memory.alwaysLive},
      {name: 'Shared', color: 'shared', values: memory.shared},
      {name: 'Padding', color: 'padding', values: memory.padding},
    ],
    most: Math.max(limit, memory.total[fullest]) * 1.05,
    limit,
    label: value => bytesText(value),
    about: tile => [
      ['Total', `${grouped(memory.total[tile])} B, ${percentText(memory.total[tile] / limit)}`],
      ['Always live', `${grouped(memory.alwaysLive[tile])} B`, 'live'],
      ['Shared', `${grouped(memory.shared[tile])} B`, 'shared'],
      ['Padding', `${grouped(memory.padding[tile])} B`, 'padding'],
      ...model.itemsOn(tile).slice(0, 3).map(({item, bytes}) => [item.name.slice(0, 40), `${grouped(bytes)} B`]),
    ],
    onSelect: tile => {
      shared.select(tile, 'memory');
      showItems(tile);
    },
  });
  shared.on('memory', tile => {
    chart.select(tile, false);
    showItems(tile);
  });
  showItems(model.failure && over > 0 ? fullest : null);
  if (model.failure && over > 0) chart.select(fullest, false);
}

// --- the rest ----------------------------------------------------------------------------------------

function showRearrangements(model) {
  const parent = byId('rearrangements-body');
  if (model.rearrangements.length === 0) {
    parent.append(emptyNote('Nothing had to be rearranged: all data was in the order and alignment needed.'));
    return;
  }
  parent.append(element('p', {class: 'muted'},
      'Copies on tiles that the program did not ask for. Their cycles are part of the exchange of their steps.'));
  const runs = r => model.costs[r.step]?.runs ?? 0;
  const stepName = r => model.steps[r.step]?.name ?? '';
  parent.append(sortableTable({
    caption: 'Rearrangements',
    sortBy: 4,
    rows: model.rearrangements,
    columns: [
      {title: 'Tensor', value: r => r.tensor, show: r => r.tensor || 'unnamed', class: 'step-name'},
      {title: 'Why', value: r => r.why, show: r => r.why},
      {title: 'Step', value: stepName, show: stepName},
      {title: 'Cycles each', number: true, hint: 'Of the slowest tile, each run', value: r => r.cycles, show: r => grouped(r.cycles)},
      {title: 'Cycles in all', number: true, hint: 'Times the runs of its step', value: r => r.cycles * runs(r),
        show: r => grouped(r.cycles * runs(r))},
      {title: 'Bytes each', number: true, value: r => r.bytes, show: r => grouped(r.bytes)},
      {title: 'Tiles', number: true, value: r => r.tiles, show: r => grouped(r.tiles)},
    ],
  }));
}

function parameterText(value, unit) {
  if (unit === 'Hz') return `${threeDigits(value / 1e9)} GHz`;
  if (unit === 'bytes/s') return `${bytesText(value)}/s`;
  if (unit === 's') return timeText(value);
  if (unit === 'bytes') return memoryText(value);
  const number = Number.isInteger(value) ? grouped(value) : String(Number(value.toPrecision(6)));
  return unit ? `${number} ${unit}` : number;
}

function showMachine(model, parameters) {
  const parent = byId('machine-body');
  const known = parameters.filter(parameter => model.machine[parameter.name] !== undefined);
  parent.append(element('dl', {class: 'parameters'}, known.map(({name, unit, meaning, source}) =>
      element('div', {title: name},
          element('dt', {}, sentence(meaning),
              element('span', {class: 'source'}, source)), element('dd', {}, parameterText(model.machine[name], unit))))));
  if (model.hostTimes.length > 0) {
    parent.append(element('h3', {}, 'This host\u2019s clock'),
        element('p', {class: 'muted'}, 'How long the model itself took; no part of its results.'),
        element('dl', {class: 'parameters'}, model.hostTimes.map(({what, seconds}) =>
            element('div', {}, element('dt', {}, what), element('dd', {}, timeText(seconds))))));
  }
}

function showFlame(model) {
  const parent = byId('flame-body');
  if (model.supersteps.count === 0) {
    byId('flame-legend').hidden = true;
    parent.append(emptyNote(model.failure ?
      'The program did not run, so there is nothing to draw. What was laid out in memory is shown below.' :
      'No superstep was recorded. Profiling may have been off, or nothing was run.'));
    return null;
  }
  legend('flame-legend', [['Compute', 'compute'], ['Sync and waiting', 'sync'], ['Exchange', 'exchange'],
    ...(model.totals.host > 0 ? [['Host', 'host']] : [])]);
  const notes = [];
  if (model.detail < model.supersteps.count) {
    notes.push(`This page holds the tiles of the first ${grouped(model.detail)} of ` +
        `${grouped(model.supersteps.count)} supersteps; later ones, paler, show their slowest tile for all.`);
  }
  if (model.notByTile > 0) {
    notes.push(`Of ${counted(model.notByTile, 'superstep', 'supersteps')} only the slowest tile was recorded; it is ` +
        'shown for all. Turn profiling on before the program runs.');
  }
  if (model.dropped > 0) {
    notes.push(`${grouped(model.dropped)} further supersteps were not recorded: the graph ends before the run does.`);
  }
  parent.append(...notes.map(text => element('p', {class: 'notice'}, text)));
  return new Flame(model, parent);
}
