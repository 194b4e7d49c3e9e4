import { asPercent, inWords, median } from '../lib/figures.ts';
import { signInWithKeys } from '../lib/key-holder.ts';
import { type Load, loadTool, measure } from '../lib/load.ts';
import { startCeiling, startPeer } from '../lib/peer.ts';
import { startBenchSite } from '../lib/site.ts';

/**
 * `GET /api/token/status` with the request log on. Compared in the same run with an empty Fastify handler and with the
 * introspection of `oidc-provider`. One core for the server, one for the load.
 * Target: 35 % of the empty handler, and 3 times introspection.
 */
export async function benchTokenStatus(): Promise<void> {
  const site = await startBenchSite();
  const empty = await startCeiling();
  const peer = await startPeer('introspection-peer.ts');
  try {
    const { access } = await signInWithKeys(site);
    const status: Load = { path: '/api/token/status', headers: { authorization: `Bearer ${access}` } };
    const introspection: Load = {
      path: '/token/introspection',
      headers: {
        authorization: `Basic ${Buffer.from('peer:peer').toString('base64')}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: `token=${peer.readyText}`,
    };
    // All are measured warm, because the engine compiles what runs often.
    await measure(empty.baseUrl, { path: '/', seconds: 2 });
    await measure(site.baseUrl, { ...status, seconds: 4 });
    await measure(peer.baseUrl, { ...introspection, seconds: 3 });
    const ratios = [];
    for (let round = 1; round <= 3; round += 1) {
      const ceiling = await measure(empty.baseUrl, { path: '/', seconds: 3 });
      const ours = await measure(site.baseUrl, { ...status, seconds: 3 });
      const theirs = await measure(peer.baseUrl, { ...introspection, seconds: 3 });
      ratios.push({
        ofCeiling: ours.perSecond / ceiling.perSecond,
        ofPeer: ours.perSecond / theirs.perSecond,
      });
      console.log(
        `token/status ${inWords(ours)}, empty handler ${inWords(ceiling)}, introspection ${inWords(theirs)}`,
      );
    }
    const ofCeiling = median(ratios.map((each) => each.ofCeiling));
    const ofPeer = median(ratios.map((each) => each.ofPeer));
    console.log(
      `token/status: median ${asPercent(ofCeiling)} of an empty handler (target: 35 %), ` +
        `${ofPeer.toFixed(1)} times oidc-provider's introspection (target: 3), load by ${loadTool}`,
    );
  } finally {
    empty.stop();
    peer.stop();
    await site.remove();
  }
}
