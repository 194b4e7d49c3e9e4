export {
  type Connection,
  connections,
  findBlockingReason,
  findTrouble,
  listTroubles,
  noMailServer,
  noteTrouble,
  noteWorking,
  probeEveryMs,
  type Trouble,
  takeUnreported,
} from './connection-troubles.ts';
export { type TroubleInWords, troubleInWords } from './trouble-in-words.ts';
