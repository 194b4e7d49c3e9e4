export {
  type Connection,
  connections,
  findTrouble,
  listTroubles,
  noMailServer,
  noteTrouble,
  noteWorking,
  probeEveryMs,
  refuseOrProbe,
  type Trouble,
  takeUnreported,
} from './connection-troubles.ts';
export { type TroubleInWords, troubleInWords } from './trouble-in-words.ts';
