export { describeApi, documentOf } from './openapi.ts';
export { referencePages } from './pages.ts';
