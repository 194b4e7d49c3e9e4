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
export { describeFailure, type FailureDescription } from './describe-failure.ts';
