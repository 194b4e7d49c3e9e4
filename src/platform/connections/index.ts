export {
  type Connection,
  connections,
  findTrouble,
  listConnectionFailures,
  noMailServer,
  noteTrouble,
  noteWorking,
  probeEveryMs,
  refuseOrProbe,
  type Trouble,
  takeUnreported,
} from './connection-failures.ts';
export { type FailureInWords, failureInWords } from './failure-in-words.ts';
