export { type NewEvent, recordEvents } from './record-events.ts';
