// What most people never open. The page loads it when they do.

export { Groups } from './groups';
export { help } from './help';
export { Region } from './region';
export { Scatter } from './scatter';
export { sharedPage } from './share';
