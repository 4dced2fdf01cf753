// The list of keys.

import { button, el } from './dom';

const keys: [string, [string, string][]][] = [
  ['Everywhere', [['?', 'this help'], ['/', 'search arrays'], ['1 … 7', 'views: heatmap, image, lines, table, histogram, text, scatter'], ['t', 'dark or light'], ['e', 'export'], ['y', 'copy the address of this view'], ['m', 'next colour map'], ['i', 'show or hide the details']]],
  ['Looking', [['h, Home', 'everything'], ['c, Backspace', 'view before'], ['v', 'view after'], ['o', 'drag zooms into a box'], ['p', 'drag pans'], ['+  −', 'zoom'], ['l', 'logarithmic colours or values'], ['k', 'logarithmic x axis'], ['g', 'grid'], ['arrows', 'move the cursor; with shift by ten'], ['Escape', 'remove what a tool has drawn, or the cursor']]],
  ['Slices', [['[  ]', 'step the slider used last'], ['space', 'play it']]],
  ['Comparing', [['shift-click', 'an array in the tree: compare with it'], ['b', 'flip between the two'], ['d', 'difference or side by side'], ['x', 'stop comparing']]],
  ['Table', [['s', 'sort by the column of the cursor'], ['w', 'filter'], ['u', 'put equal values of the column of the cursor together'], ['Enter', 'the whole value'], ['Page, ctrl-Home, ctrl-End', 'far']]],
  ['Mouse, touch', [['wheel, pinch', 'zoom; shift: y only, alt: x only'], ['drag', 'pan; shift: box'], ['double click', 'everything'], ['drag at the colour bar', 'the domain']]],
];

export function help(): void {
  document.querySelector('dialog.help')?.remove();
  const dialog = el('dialog', { class: 'help', 'aria-label': 'Keys' },
    el('header', {}, el('strong', {}, 'Keys'), button('Close', () => dialog.close(), { class: 'ghost' }, '✕')),
    el('div', { class: 'help-grid' }, ...keys.map(([title, list]) => el('section', {}, el('h2', {}, title), el('dl', {}, ...list.flatMap(([k, what]) => [el('dt', {}, el('kbd', {}, k)), el('dd', {}, what)]))))));
  dialog.addEventListener('close', () => dialog.remove());
  dialog.addEventListener('click', (e) => {
    if (e.target === dialog) dialog.close();
  });
  document.body.append(dialog);
  dialog.showModal();
}
