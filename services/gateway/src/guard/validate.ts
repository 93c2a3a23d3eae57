import { refuseAll } from '@postroom/errors/refuse';
import { faultSentence } from '@postroom/http/fault-sentences';
import { faultsOf } from '@postroom/http/faults';
import { isRoute, type Exchange, type Validated } from './exchange.ts';
import { readQuery } from '@postroom/http/read-query';
import type { Route } from '../routes/table.ts';

/** Refuses what does not fit the route's schemas, naming each faulty field. */
export function validate(exchange: Exchange): void {
  if (!isRoute(exchange.endpoint)) return;
  const result = validated(exchange, exchange.endpoint);
  if ('faults' in result) refuseAll(result.faults);
}

/** The outcome of the validation, reached once: the quota of a bulk body depends on it before it is due. */
export function validated(exchange: Exchange, route: Route): Validated {
  return (exchange.validated ??= inspect(exchange, route));
}

function inspect({ params, request, body }: Exchange, route: Route): Validated {
  const inPath = Object.entries(params).filter(([, value]) => value.includes('\0'));
  const query = route.query ? readQuery(request.url ?? '', route.query) : { value: undefined };
  const parsed = route.body?.safeParse(body, { error: faultSentence });
  const faults = {
    ...Object.fromEntries(inPath.map(([name]) => [name, ['must not hold a NUL character']])),
    ...('faults' in query && query.faults),
    ...(parsed?.error && faultsOf(parsed.error)),
  };
  if (Object.keys(faults).length > 0) return { faults };
  return { input: { params, query: 'value' in query ? query.value : undefined, body: parsed?.data } };
}
