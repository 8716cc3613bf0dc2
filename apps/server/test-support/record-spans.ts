import { context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';

/** The spans that ended in this process. */
export interface RecordedSpans {
  all(): readonly ReadableSpan[];
  /** Returns the only span with this name; throws if there is none or if there are several. */
  get(name: string): ReadableSpan;
  clear(): void;
  /** Removes the SDK. */
  stop(): void;
}

/** Registers an OpenTelemetry SDK that stores all spans in memory. Call it once in a process: a tracer keeps the first SDK that it uses. */
export function recordSpans(): RecordedSpans {
  const exporter = new InMemorySpanExporter();
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }));
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  const all = () => exporter.getFinishedSpans();
  return {
    all,
    get(name) {
      const [span, ...others] = all().filter((candidate) => candidate.name === name);
      if (span === undefined || others.length > 0) {
        const names = all().map((candidate) => candidate.name);
        throw new Error(`Expected one span "${name}" among: ${names.join(', ')}`);
      }
      return span;
    },
    clear: () => exporter.reset(),
    stop() {
      trace.disable();
      context.disable();
      propagation.disable();
    },
  };
}
