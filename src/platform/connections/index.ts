export {
  type Connection,
  type ConnectionFailure,
  connections,
  findConnectionFailure,
  listConnectionFailures,
  noMailServerReason,
  probeEveryMs,
  recordConnectionFailure,
  recordConnectionWorking,
  takeProbeOrFindRefusal,
  takeUnreported,
} from './connection-failures.ts';
export { type FailureInWords, failureInWords } from './failure-in-words.ts';
