import { aCreatedWebhook, aWebhook, aWebhookDelivery } from '@centavo/sdk/testing';
import { HttpResponse } from 'msw';
import { refusal, success } from './fake-responses.js';

type Json = Record<string, unknown>;

/** Webhook endpoints and their deliveries, in memory. Nothing is delivered. */
export class FakeWebhooks {
  readonly endpoints: Json[] = [];
  readonly deliveries: Json[] = [];

  reset(): void {
    this.endpoints.length = 0;
    this.deliveries.length = 0;
  }

  add(fields: Json): Json {
    const endpoint: Json = { ...aWebhook(), ...fields };
    this.endpoints.unshift(endpoint);
    return endpoint;
  }

  addDelivery(fields: Json): Json {
    const delivery: Json = { ...aWebhookDelivery(), ...fields };
    this.deliveries.unshift(delivery);
    return delivery;
  }

  /** Returns the response of a route that begins with `/webhooks`; undefined for other routes. */
  respond(route: string, { body, query }: { body: Json; query: URLSearchParams }): Response | undefined {
    const [method = '', path = ''] = route.split(' ');
    const [, resource, id, action, deliveryId, deliveryAction] = path.split('/');
    if (resource !== 'webhooks') return undefined;
    const { secret } = aCreatedWebhook();
    if (id === undefined) {
      return method === 'GET' ? success(this.endpoints) : success({ ...this.add(body), secret }, { status: 201 });
    }
    const endpoint = this.endpoints.find((candidate) => candidate.id === id);
    if (endpoint === undefined) return refusal(404, 'NOT_FOUND');
    switch (`${method} ${[action, deliveryAction].filter(Boolean).join('/')}`) {
      case 'GET ':
        return success(endpoint);
      case 'PATCH ':
        return success(Object.assign(endpoint, body));
      case 'DELETE ':
        this.endpoints.splice(this.endpoints.indexOf(endpoint), 1);
        return new HttpResponse(null, { status: 204 });
      case 'POST rotate-secret':
        return success({ ...endpoint, secret });
      case 'POST test':
        return success(this.addDelivery({ type: 'webhook.test', sequence: null, status: 'pending' }), { status: 201 });
      case 'GET deliveries':
        return this.#listDeliveries(query);
      case 'POST deliveries/retry': {
        const delivery = this.deliveries.find((candidate) => candidate.id === deliveryId);
        return delivery === undefined
          ? refusal(404, 'NOT_FOUND')
          : success(Object.assign(delivery, { status: 'pending' }));
      }
      case 'POST replay':
        return success({ count: this.deliveries.length });
      default:
        return undefined;
    }
  }

  #listDeliveries(query: URLSearchParams): Response {
    const status = query.get('status');
    const found = this.deliveries.filter((delivery) => status === null || delivery.status === status);
    const start = Number(query.get('cursor') ?? 0);
    const end = start + Number(query.get('limit') ?? 50);
    const hasMore = end < found.length;
    const rows = found.slice(start, end);
    const nextCursor = hasMore ? String(end) : null;
    const page = { limit: end - start, offset: null, count: rows.length, total: null, hasMore, nextOffset: null };
    return success(rows, { pagination: { ...page, nextCursor } });
  }
}
