import { type App, boundsMs, requestTimes } from '../platform/http/index.ts';

type Value = { metricName: string; labels: Record<string, string>; value: number };

const name = 'onward_http_request_duration_seconds';

/** The counted requests as Prometheus wants a histogram: each bucket has all that took no longer than its bound. */
export function requestHistogram(app: App) {
  return {
    name,
    async get() {
      const help = 'Requests by method, pattern of the route and status, and how long they took';
      return { name, help, type: 'histogram', values: requestTimes(app).flatMap(valuesOf) };
    },
  };
}

function valuesOf({
  method,
  route,
  status,
  counts,
  sumMs,
}: ReturnType<typeof requestTimes>[number]): Value[] {
  const labels = { method, route, status: String(status) };
  let soFar = 0;
  const buckets = counts.map((count, place) => {
    soFar += count;
    const bound = boundsMs[place];
    const le = bound === undefined ? '+Inf' : String(bound / 1000);
    return { metricName: `${name}_bucket`, labels: { ...labels, le }, value: soFar };
  });
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels, value: sumMs / 1000 },
    { metricName: `${name}_count`, labels, value: soFar },
  ];
}
