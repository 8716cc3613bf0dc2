import type { Request, Response } from 'express';

/** The template of the route that answered; an unknown path may hold anything and is not told to logs or metrics. */
export function routeTemplate(request: Request, response: Response): string {
  const matched = (request.route as { path?: unknown } | undefined)?.path;
  const template = response.locals.route ?? matched;
  return typeof template === 'string' ? template : 'unmatched';
}
