export { describeApi, openApiDocument } from './openapi.ts';
export { referencePages } from './pages.ts';
