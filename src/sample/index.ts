export { loadSample, type SampleAccount } from './load-sample.ts';
export { listEnabledSampleAccounts } from './sample-accounts.ts';
