// Tables whose columns sort: headings are buttons, numbers start with the largest.

// columns: {title, value(row) for sorting, show(row) -> text or node, number, hint}
function sortableTable({caption, columns, rows, sortBy, most = 100, onRow}) {
  let sorted = sortBy, descending = true, limit = most;
  const body = element('tbody', {});
  const more = element('button', {type: 'button', class: 'button more', onclick: () => {
    limit = Infinity;
    fill();
  }});
  const headings = columns.map((column, index) => {
    const button = element('button', {type: 'button', title: column.hint, onclick: () => {
      descending = sorted === index ? !descending : Boolean(column.number);
      sorted = index;
      fill();
    }}, column.title);
    return element('th', {scope: 'col', class: column.number ? 'number' : ''}, button);
  });

  function compare(a, b) {
    const x = columns[sorted].value(a), y = columns[sorted].value(b);
    const order = typeof x === 'string' ? x.localeCompare(y) : (Number.isNaN(x) ? -1 : x) - (Number.isNaN(y) ? -1 : y);
    return descending ? -order : order;
  }

  function fill() {
    headings.forEach((heading, index) => {
      if (index === sorted) heading.setAttribute('aria-sort', descending ? 'descending' : 'ascending');
      else heading.removeAttribute('aria-sort');
    });
    const list = [...rows].sort(compare);
    body.replaceChildren(...list.slice(0, limit).map(row => {
      const cells = columns.map((column, index) => {
        const content = column.show(row);
        return element(index === 0 ? 'th' : 'td', {
          scope: index === 0 ? 'row' : null,
          class: [column.number ? 'number' : '', column.class ?? ''].join(' ').trim() || null,
        }, content);
      });
      const line = element('tr', {}, cells);
      if (onRow) onRow(line, row);
      return line;
    }));
    more.hidden = list.length <= limit;
    more.textContent = `Show all ${grouped(list.length)}`;
  }

  fill();
  const table = element('table', {},
      element('caption', {class: 'hidden-text'}, caption),
      element('thead', {}, element('tr', {}, headings)), body);
  return element('div', {class: 'table-with-more'},
      element('div', {class: 'scroller', tabindex: '0', role: 'region', 'aria-label': caption}, table), more);
}
