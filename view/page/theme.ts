// Dark and light: the system's choice, or the one in the address.

export interface Colours {
  back: string;
  text: string;
  faint: string;
  axis: string;
  grid: string;
  accent: string;
  series: string[];
}

// The series' colours are Okabe and Ito's, lighter ones on dark ground.
const light: Colours = {
  back: '#ffffff', text: '#1d2733', faint: '#5b6977', axis: '#9aa7b4', grid: 'rgba(90,110,130,0.22)', accent: '#0a64be',
  series: ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#b8860b', '#56b4e9', '#7a4fbf', '#4d4d4d'],
};
const dark: Colours = {
  back: '#12171d', text: '#dce4ec', faint: '#93a1af', axis: '#56646f', grid: 'rgba(160,180,200,0.20)', accent: '#5aa9f8',
  series: ['#56b4e9', '#ff9d4d', '#2fcf9f', '#e79fc6', '#f0e442', '#7fa8ff', '#b99cff', '#c8c8c8'],
};

const asked = matchMedia('(prefers-color-scheme: dark)');

export function isDark(): boolean {
  const set = document.documentElement.dataset.theme;
  return set === 'dark' || (set !== 'light' && asked.matches);
}

export function theme(): Colours {
  return isDark() ? dark : light;
}

export function useTheme(name: string): void {
  if (name === 'dark' || name === 'light') document.documentElement.dataset.theme = name;
  else delete document.documentElement.dataset.theme;
}

export function onSystemTheme(call: () => void): void {
  asked.addEventListener('change', call);
}
