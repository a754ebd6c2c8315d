// Puts the page together.

// The tile that was chosen in one part of the page is marked in the others.
function sharedTile() {
  const listeners = [];
  return {
    on(name, listener) {
      listeners.push([name, listener]);
    },
    select(tile, from) {
      for (const [name, listener] of listeners) if (name !== from) listener(tile);
    },
  };
}

function main() {
  theme.start();
  const data = byId('profile');
  const model = new Model(JSON.parse(data.textContent), Number(data.dataset.detail));
  data.remove();
  const shared = sharedTile();
  // What did not fit is what the reader came for.
  if (model.failure && model.supersteps.count === 0) byId('flame').before(byId('memory'));
  showHeading(model);
  showFigures(model);
  const flame = showFlame(model);
  showSteps(model, flame);
  showBalance(model, shared);
  showMemory(model, shared);
  showRearrangements(model);
  showMachine(model, JSON.parse(byId('parameters').textContent));
  if (flame) {
    flame.onSelect = tile => shared.select(tile, 'flame');
    flame.redraw();
  }
  window.tropicReport = {model, flame};
}

main();
