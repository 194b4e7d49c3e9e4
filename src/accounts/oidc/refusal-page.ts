import type { Reply, Request } from '../../platform/http/index.ts';
import type { WebPlatform } from '../../platform/platform.ts';
import { notFound, Problem } from '../../platform/problem/index.ts';

/** Answers a request. If it is refused, the person gets a page that leads back to the sign-in. */
export async function withRefusalPage(
  { pages }: WebPlatform,
  request: Request,
  reply: Reply,
  answer: () => Promise<Reply>,
): Promise<Reply> {
  try {
    return await answer();
  } catch (error) {
    if (!(error instanceof Problem) || error.kind === notFound) throw error;
    return pages.send(request, reply.code(error.kind.status), 'accounts/oidc/templates/refused.njk', {
      problem: { ...error.kind, detail: error.detail },
      requestId: request.id,
    });
  }
}
