import type { App } from '../../src/platform/http/index.ts';
import { documentOf } from '../../src/reference/index.ts';

type Operation = {
  operationId?: string;
  summary?: string;
  description?: string;
  tags?: string[];
  security?: unknown[];
  responses: Record<string, unknown>;
};

/** Every call of the API, as its description has it. */
export function operationsOf(app: App): { path: string; method: string; operation: Operation }[] {
  const { paths } = documentOf(app) as unknown as { paths: Record<string, Record<string, Operation>> };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
}
