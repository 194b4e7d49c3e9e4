export {
  type Connection,
  type ConnectionFailure,
  connections,
  findConnectionFailure,
  listConnectionFailures,
  noMailServer,
  probeEveryMs,
  recordConnectionFailure,
  recordConnectionWorking,
  takeUnreported,
  whyNotSend,
} from './connection-failures.ts';
export { type FailureInWords, failureInWords } from './failure-in-words.ts';
