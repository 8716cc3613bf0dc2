import { describe, expect, test } from 'vitest';
import { fetchSmallJson, type Network } from './fetch-small-json.js';

const url = 'https://id.example.org/certs';

/** A network that returns one response and records the requests. */
function respondWith(answer: (init: RequestInit) => Response | Promise<Response>) {
  const requests: { url: string; init: RequestInit }[] = [];
  const timeouts: { ms: number; abort: () => void }[] = [];
  const network: Network = {
    fetch: async (input, init = {}) => {
      requests.push({ url: String(input), init });
      return answer(init);
    },
    timeoutSignal: (ms) => {
      const controller = new AbortController();
      timeouts.push({ ms, abort: () => controller.abort(new DOMException('late', 'TimeoutError')) });
      return controller.signal;
    },
  };
  return { network, requests, timeouts };
}

describe('fetchSmallJson', () => {
  test('sends one GET request to the URL with a timeout of two seconds, and does not allow redirects', async () => {
    const { network, requests, timeouts } = respondWith(() => Response.json({ keys: [] }));
    expect(await fetchSmallJson({ network, url })).toEqual({ keys: [] });
    expect(requests).toMatchObject([{ url, init: { method: 'GET', redirect: 'error', body: null } }]);
    expect(timeouts.map(({ ms }) => ms)).toEqual([2000]);
  });

  test('sends a POST request with the form if the caller passes a form', async () => {
    const { network, requests } = respondWith(() => Response.json({ active: true }));
    const form = new URLSearchParams({ token: 'a' });
    await fetchSmallJson({ network, url, post: { headers: { Authorization: 'Basic x' }, form } });
    expect(requests[0]?.init).toMatchObject({ method: 'POST', body: form, headers: { Authorization: 'Basic x' } });
  });

  test.each([201, 204, 302, 401, 404, 500])('fails for status %i without reading the body', async (status) => {
    const body = status === 204 ? null : new ReadableStream();
    const { network } = respondWith(() => new Response(body, { status }));
    await expect(fetchSmallJson({ network, url })).rejects.toMatchObject({ code: `ISSUER_STATUS_${status}` });
  });

  test.each(['', '<html>', '{"keys":'])('fails for a body that is not JSON (%j) without quoting it', async (text) => {
    const { network } = respondWith(() => new Response(text));
    await expect(fetchSmallJson({ network, url })).rejects.toMatchObject({
      code: 'ISSUER_ANSWER_NOT_JSON',
      message: 'answered something that is not JSON',
    });
  });

  test('reports the status and the code of an OAuth error, and not its description', async () => {
    const refusal = { error: 'unsupported_token_type', error_description: 'eyJ0b2tlbg is odd' };
    const { network } = respondWith(() => Response.json(refusal, { status: 400 }));
    await expect(fetchSmallJson({ network, url })).rejects.toMatchObject({
      code: 'ISSUER_STATUS_400',
      message: 'answered 400 unsupported_token_type',
    });
  });

  test.each([{ error: 'A Sentence\nwith lines' }, { error: 7 }, 'text', null])(
    'reports an error response with the body %j by its status only',
    async (body) => {
      const { network } = respondWith(() => Response.json(body, { status: 401 }));
      await expect(fetchSmallJson({ network, url })).rejects.toMatchObject({ message: 'answered 401' });
    },
  );

  test('stops reading a body of 10 MB at the size limit', async () => {
    let sentBytes = 0;
    let isCancelled = false;
    const body = new ReadableStream({
      pull(controller) {
        sentBytes += 16_384;
        controller.enqueue(new Uint8Array(16_384).fill(0x20));
        if (sentBytes >= 10_000_000) controller.close();
      },
      cancel() {
        isCancelled = true;
      },
    });
    const { network } = respondWith(() => new Response(body));
    await expect(fetchSmallJson({ network, url })).rejects.toMatchObject({ code: 'ISSUER_ANSWER_TOO_LARGE' });
    expect([isCancelled, sentBytes <= 131_072]).toEqual([true, true]);
  });

  test('accepts a body of the maximum size, 65,536 bytes', async () => {
    const { network } = respondWith(() => new Response(`"${'x'.repeat(65_534)}"`));
    expect(await fetchSmallJson({ network, url })).toHaveLength(65_534);
  });

  test('rejects with a TimeoutError when the timeout passes before the response begins or before it ends', async () => {
    const silent = respondWith(
      (init) => new Promise((_, reject) => init.signal?.addEventListener('abort', () => reject(init.signal?.reason))),
    );
    const first = fetchSmallJson({ network: silent.network, url });
    silent.timeouts[0]?.abort();
    await expect(first).rejects.toMatchObject({ name: 'TimeoutError' });

    const endless = respondWith(
      (init) =>
        new Response(
          new ReadableStream({
            start: (controller) => init.signal?.addEventListener('abort', () => controller.error(init.signal?.reason)),
          }),
        ),
    );
    const second = fetchSmallJson({ network: endless.network, url });
    endless.timeouts[0]?.abort();
    await expect(second).rejects.toMatchObject({ name: 'TimeoutError' });
  });
});
