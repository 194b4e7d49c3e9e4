export { recordEvents } from './record-events.ts';
