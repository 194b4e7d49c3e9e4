export { loadSample, type SampleAccount } from './load-sample.ts';
