export type { MetricsDeps } from './collect-metrics.ts';
export { healthRoutes } from './health-routes.ts';
export { metricsRoute } from './metrics-route.ts';
export type { ReadinessDeps } from './readiness.ts';
