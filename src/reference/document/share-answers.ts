import type { Operation } from './operations.ts';

type Answer = {
  description?: string;
  content?: Record<string, { examples?: { answer?: { $ref: string } } }>;
};
type Use = { answers: Record<string, unknown>; status: string };

/**
 * Moves each answer that several operations have, such as the referral as it is now, to the components, and lets the
 * operations refer to it. This makes the document much shorter.
 * @returns the answers by name: that of their example. If an example has several, the one that most operations have is moved.
 */
export function shareAnswers(paths: Record<string, Record<string, Operation>>): Record<string, unknown> {
  const uses = new Map<string, Use[]>();
  for (const { responses: answers } of Object.values(paths).flatMap(Object.values<Operation>))
    for (const [status, answer] of Object.entries(answers)) {
      if (nameOf(status, answer as Answer) === undefined) continue;
      const key = `${status} ${JSON.stringify(answer)}`;
      uses.set(key, [...(uses.get(key) ?? []), { answers, status }]);
    }
  const shared: Record<string, unknown> = {};
  const repeated = [...uses.values()].filter(({ length }) => length > 1);
  for (const each of repeated.sort((one, other) => other.length - one.length)) {
    const [{ answers: first, status: statusOfAnswer }] = each as [Use];
    const answer = first[statusOfAnswer] as Answer;
    const name = nameOf(statusOfAnswer, answer)!;
    if (Object.hasOwn(shared, name)) continue;
    shared[name] = answer;
    for (const { answers, status } of each) answers[status] = { $ref: `#/components/responses/${name}` };
  }
  return shared;
}

function nameOf(status: string, { content }: Answer): string | undefined {
  if (status === '304') return 'NotModified';
  const example = content?.['application/json']?.examples?.answer?.$ref.split('/').at(-1);
  if (example === undefined) return undefined;
  return status === '201' ? `${example}Created` : example;
}
