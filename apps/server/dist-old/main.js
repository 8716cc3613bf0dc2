#!/usr/bin/env -S node --max-semi-space-size=64

// src/main.ts
import { setFlagsFromString } from "v8";

// src/run-server-command.ts
import { fileURLToPath } from "url";

// src/database/compile-statement.ts
import { createHash } from "crypto";
var compiled = /* @__PURE__ */ new Map();
var preparedMax = 256;
function compileStatement(sql, bindings) {
  const { names, ...statement } = compiled.get(sql) ?? compile(sql);
  const values = names.map((name) => {
    const value = bindings[name];
    if (value === void 0) throw new Error(`The binding :${name} is missing.`);
    return value;
  });
  return { ...statement, values };
}
function compile(sql) {
  const names = [];
  const text3 = sql.replace(/(?<![:\w]):([a-zA-Z]\w*)/g, (_, name) => `$${names.push(name)}`);
  if (compiled.size >= preparedMax) return { text: text3, names };
  const prepared = { text: text3, names, name: `c${createHash("sha256").update(text3).digest("hex").slice(0, 24)}` };
  compiled.set(sql, prepared);
  return prepared;
}

// src/database/query.ts
async function query(tx, sql, bindings = {}, options = {}) {
  const { rows } = await tx.send(compileStatement(sql, bindings), options);
  return rows;
}

// src/database/check-books.queries.ts
var patience = { answerMsMax: 864e5 };
async function checkBooks(tx) {
  await query(tx, `select set_config('role', 'centavo_definer', true)`);
  const [counted] = await query(
    tx,
    `select (select count(*)::int from app.cashboxes) as cashboxes, (select count(*)::int from app.transfers) as transfers`,
    {},
    patience
  );
  const cashboxes = await query(
    tx,
    `select c.tracker_id, c.id, c.balance, c.opening_balance + coalesce(m.total, 0) as expected, c.expense_count, c.income_count,
       coalesce(m.expenses, 0) as expenses, coalesce(m.incomes, 0) as incomes
     from app.cashboxes c
     left join (
       select tracker_id, cashbox_id, sum(case when type = 'income' then amount else -amount end) as total,
         count(*) filter (where type = 'expense') as expenses, count(*) filter (where type = 'income') as incomes
       from app.movements group by tracker_id, cashbox_id
     ) m on m.tracker_id = c.tracker_id and m.cashbox_id = c.id
     where c.balance is distinct from c.opening_balance + coalesce(m.total, 0)
       or c.expense_count <> coalesce(m.expenses, 0) or c.income_count <> coalesce(m.incomes, 0)
     order by c.tracker_id, c.id`,
    {},
    patience
  );
  const transfers = await query(
    tx,
    `select t.tracker_id, t.id, count(m.id)::int as legs
     from app.transfers t
     left join app.movements m on m.tracker_id = t.tracker_id and m.transfer_group_id = t.id
     group by t.tracker_id, t.id
     having count(m.id) <> 2 or count(distinct m.type) <> 2 or count(distinct (m.amount, m.currency_code, m.occurred_on)) <> 1
     order by t.tracker_id, t.id`,
    {},
    patience
  );
  return {
    cashboxCount: counted?.cashboxes ?? 0,
    transferCount: counted?.transfers ?? 0,
    contradictions: [
      ...cashboxes.flatMap(describeDrift),
      ...transfers.map(
        (row) => `Tracker ${row.tracker_id}, transfer ${row.id}: its ${row.legs} movements are not one out and one in.`
      )
    ]
  };
}
function describeDrift(row) {
  const cashbox = `Tracker ${row.tracker_id}, cashbox ${row.id}`;
  const isCounted = row.expense_count === row.expenses && row.income_count === row.incomes;
  return [
    ...row.balance === row.expected ? [] : [`${cashbox}: the balance is ${row.balance}, its movements make ${row.expected}.`],
    ...isCounted ? [] : [
      `${cashbox}: it counts ${row.expense_count} expenses and ${row.income_count} incomes, there are ${row.expenses} and ${row.incomes}.`
    ]
  ];
}

// src/config.ts
import * as z from "zod";

// src/encryption-keys.ts
import { createHash as createHash2 } from "crypto";
var encryptionKeysPattern = /^[A-Za-z0-9+/]{43}=(?:,[A-Za-z0-9+/]{43}=)*$/;
function parseEncryptionKeys(text3) {
  return text3.split(",").map((key) => toEncryptionKey(Buffer.from(key, "base64")));
}
function sealedPrefix(keyId) {
  return `sealed:${keyId}:`;
}
function toEncryptionKey(bytes) {
  return { id: createHash2("sha256").update(bytes).digest("base64url").slice(0, 8), bytes };
}

// src/read-external-issuer.ts
function readExternalIssuer(present) {
  const { IDENTITY_ISSUER: issuer } = present;
  if (issuer === void 0) {
    const set = companions.filter((name) => present[name] !== void 0);
    return { issuer: null, mistakes: set.map((name) => `${name} is set without IDENTITY_ISSUER`) };
  }
  const mistakes = companions.filter((name) => present[name] === void 0).map((name) => `${name} is missing: IDENTITY_ISSUER needs it`);
  for (const name of addresses) {
    const value = present[name];
    if (value !== void 0 && !isSafeAddress(value)) {
      mistakes.push(
        `${name} is not an https:// address (http:// only to loopback) without user, password and fragment`
      );
    }
  }
  if (present.DEMO === "on") mistakes.push("DEMO=on needs the embedded identity provider: unset IDENTITY_ISSUER");
  return {
    issuer: {
      issuer,
      jwksUrl: present.IDENTITY_JWKS_URL ?? "",
      audience: present.IDENTITY_AUDIENCE ?? "",
      introspection: {
        url: present.IDENTITY_INTROSPECTION_URL ?? "",
        clientId: present.IDENTITY_CLIENT_ID ?? "",
        clientSecret: present.IDENTITY_CLIENT_SECRET ?? ""
      }
    },
    mistakes
  };
}
var companions = [
  "IDENTITY_JWKS_URL",
  "IDENTITY_AUDIENCE",
  "IDENTITY_INTROSPECTION_URL",
  "IDENTITY_CLIENT_ID",
  "IDENTITY_CLIENT_SECRET"
];
var addresses = ["IDENTITY_ISSUER", "IDENTITY_JWKS_URL", "IDENTITY_INTROSPECTION_URL"];
function isSafeAddress(text3) {
  if (!URL.canParse(text3)) return false;
  const { protocol, hostname, username, password, hash: hash2 } = new URL(text3);
  if (username !== "" || password !== "" || hash2 !== "") return false;
  const isLoopback2 = hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname);
  return protocol === "https:" || protocol === "http:" && isLoopback2;
}

// src/read-tls.ts
import { createPrivateKey, X509Certificate } from "crypto";
import { readFileSync } from "fs";
import { createSecureContext } from "tls";
function readTls(present, now) {
  const { TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile } = present;
  const mistakes = [];
  if (certFile === void 0 !== (keyFile === void 0)) mistakes.push("TLS_CERT_FILE and TLS_KEY_FILE go together");
  const attempt = (act) => {
    try {
      return act();
    } catch (error) {
      mistakes.push(error.message);
      return void 0;
    }
  };
  const certificate = attempt(() => readCertificate(certFile));
  const key = attempt(() => readKey(keyFile));
  if (certificate === void 0 || key === void 0) return { tls: null, mistakes, warnings: [] };
  if (!certificate.parsed.checkPrivateKey(key.parsed)) {
    mistakes.push(`TLS_KEY_FILE ${keyFile} is not the key of the certificate in TLS_CERT_FILE ${certFile}`);
  } else {
    attempt(() => requireUsable({ certificate: certificate.pem, key: key.pem }));
  }
  return {
    tls: { certificate: certificate.pem, key: key.pem },
    mistakes,
    warnings: validityWarnings(certificate.parsed, { certFile, now })
  };
}
function readCertificate(path) {
  if (path === void 0) return void 0;
  const pem = readPem("TLS_CERT_FILE", path);
  try {
    return { pem, parsed: new X509Certificate(pem) };
  } catch {
    throw new Error(`TLS_CERT_FILE ${path} holds no certificate in PEM ("-----BEGIN CERTIFICATE-----")`);
  }
}
function readKey(path) {
  if (path === void 0) return void 0;
  const pem = readPem("TLS_KEY_FILE", path);
  try {
    return { pem, parsed: createPrivateKey(pem) };
  } catch {
    if (pem.includes("ENCRYPTED")) {
      throw new Error(`TLS_KEY_FILE ${path} is encrypted: decrypt it, and keep the file from others instead`);
    }
    throw new Error(`TLS_KEY_FILE ${path} holds no private key in PEM ("-----BEGIN PRIVATE KEY-----")`);
  }
}
function readPem(variable, path) {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new Error(`${variable} names ${path}, which cannot be read (${error.code})`);
  }
}
function requireUsable(files2) {
  try {
    createSecureContext({ cert: files2.certificate, key: files2.key });
  } catch (error) {
    throw new Error(`TLS_CERT_FILE and TLS_KEY_FILE cannot be used: ${error.message}`);
  }
}
function validityWarnings({ validFrom, validTo }, { certFile, now }) {
  const name = `The certificate in TLS_CERT_FILE ${certFile}`;
  if (now > new Date(validTo)) return [`${name} expired on ${validTo}; clients will refuse it until it is renewed.`];
  if (now < new Date(validFrom)) return [`${name} is valid from ${validFrom} only; clients will refuse it until then.`];
  return [];
}

// src/config.ts
var logLevels = ["fatal", "error", "warn", "info", "debug", "trace", "silent"];
var notPostgresAddress = "is not a postgres:// address (in user and password @ is written %40, / is %2F, : is %3A, # is %23 and % is %25)";
var secrets = /* @__PURE__ */ new Set(["DATABASE_URL", "DATABASE_REPLICA_URL", "REDIS_URL", "ENCRYPTION_KEY"]);
var wholeNumber = (range) => z.string().regex(/^-?\d{1,9}$/, "is not a whole number").transform(Number).refine((value) => value >= range.min && value <= range.max, `is not between ${range.min} and ${range.max}`).default(range.otherwise);
var flag = z.enum(["true", "false"], "is neither true nor false").default("false");
var ratePerMinute = (otherwise) => wholeNumber({ min: 0, max: 1e6, otherwise });
var rateLimitNames = [
  "RATE_LIMIT_READS_PER_MINUTE",
  "RATE_LIMIT_WRITES_PER_MINUTE",
  "RATE_LIMIT_ADMIN_PER_MINUTE",
  "RATE_LIMIT_AUTH_FAILURES_PER_MINUTE"
];
var environment = z.object({
  HOST: z.string().default("127.0.0.1"),
  PORT: wholeNumber({ min: 0, max: 65535, otherwise: 8080 }),
  DATABASE_URL: z.string().refine(isPostgresAddress, notPostgresAddress).optional(),
  DATABASE_REPLICA_URL: z.string().refine(isPostgresAddress, notPostgresAddress).optional(),
  DATA_DIR: z.string().optional(),
  CENTAVO_PROCESSES: wholeNumber({ min: 1, max: 64, otherwise: 1 }),
  DATABASE_POOL_MAX: wholeNumber({ min: 1, max: 200, otherwise: 10 }),
  LOG_LEVEL: z.enum(logLevels, `is not one of ${logLevels.join(", ")}`).default("info"),
  DEMO: z.enum(["on", "off"], "is neither on nor off").default("off"),
  REGISTRATION: z.enum(["open", "closed"], "is neither open nor closed").default("open"),
  ENCRYPTION_KEY: z.string().regex(encryptionKeysPattern, "is not 32 bytes in Base64, as `openssl rand -base64 32` prints them").transform(parseEncryptionKeys).default([]),
  STEP_UP_MAX_AGE_SECONDS: wholeNumber({ min: 1, max: 86400, otherwise: 600 }),
  KEY_MAX_VALIDITY_DAYS: wholeNumber({ min: 1, max: 3650, otherwise: 365 }),
  INTEGRATION_CLIENTS_REQUIRE_STEP_UP: flag,
  TLS_CERT_FILE: z.string().optional(),
  TLS_KEY_FILE: z.string().optional(),
  TRUST_PROXY: wholeNumber({ min: 0, max: 10, otherwise: 0 }),
  ALLOW_INSECURE_HTTP: flag,
  RATE_LIMIT_READS_PER_MINUTE: ratePerMinute(600),
  RATE_LIMIT_WRITES_PER_MINUTE: ratePerMinute(300),
  RATE_LIMIT_ADMIN_PER_MINUTE: ratePerMinute(10),
  RATE_LIMIT_AUTH_FAILURES_PER_MINUTE: ratePerMinute(20),
  REDIS_URL: z.string().regex(/^rediss?:\/\//, "is not a redis:// or rediss:// address").refine((value) => URL.canParse(value), "is not a redis:// or rediss:// address").optional(),
  DRAIN_DELAY_MS: wholeNumber({ min: 0, max: 6e4, otherwise: 0 }),
  // 0 stands for ever.
  IDEMPOTENCY_RETENTION_DAYS: wholeNumber({ min: 0, max: 36500, otherwise: 0 })
});
function readConfig(env, defaultDataDir, now = /* @__PURE__ */ new Date()) {
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== void 0 && value !== ""));
  const result = environment.safeParse(present);
  const mistakes = result.success ? [] : result.error.issues.map((issue2) => mistakeOf(issue2, present));
  const { tls, ...judged } = readTls(present, now);
  mistakes.push(...judged.mistakes);
  const { HOST: host, TLS_CERT_FILE: certFile, TRUST_PROXY: hops = "0", ALLOW_INSECURE_HTTP: insecureHttp } = present;
  if (host !== void 0 && !isLoopback(host) && certFile === void 0 && /^0+$/.test(hops)) {
    if (insecureHttp !== "true") {
      mistakes.push(
        `HOST ${host} is not loopback: set TLS_CERT_FILE and TLS_KEY_FILE, or TRUST_PROXY behind a proxy, or ALLOW_INSECURE_HTTP=true`
      );
    }
  }
  if (Number(present.CENTAVO_PROCESSES ?? "1") > 1 && present.REDIS_URL === void 0) {
    const counting = rateLimitNames.filter((name) => !/^0+$/.test(present[name] ?? ""));
    if (counting.length > 0) {
      mistakes.push(
        `CENTAVO_PROCESSES is ${JSON.stringify(present.CENTAVO_PROCESSES)}, and each process would count by itself: set REDIS_URL, or switch off with 0 what is limited (${counting.join(", ")})`
      );
    }
  }
  if (present.DATABASE_REPLICA_URL !== void 0 && present.DATABASE_URL === void 0) {
    mistakes.push(
      "DATABASE_REPLICA_URL is set without DATABASE_URL, and the embedded PostgreSQL has no replica: set both"
    );
  }
  const external = readExternalIssuer(present);
  mistakes.push(...external.mistakes);
  if (!result.success || mistakes.length > 0) {
    throw new Error(`The configuration is not valid:
${mistakes.map((mistake) => `  - ${mistake}`).join("\n")}`);
  }
  const values = result.data;
  return {
    host: values.HOST,
    port: values.PORT,
    databaseUrl: values.DATABASE_URL ?? null,
    databaseReplicaUrl: values.DATABASE_REPLICA_URL ?? null,
    dataDir: values.DATA_DIR ?? defaultDataDir,
    processes: values.CENTAVO_PROCESSES,
    databasePoolMax: present.DATABASE_POOL_MAX === void 0 ? poolMaxOfEach(values.CENTAVO_PROCESSES) : values.DATABASE_POOL_MAX,
    logLevel: values.LOG_LEVEL,
    demo: values.DEMO === "on",
    registration: values.REGISTRATION,
    externalIssuer: external.issuer,
    encryptionKeys: values.ENCRYPTION_KEY,
    stepUpMaxAgeSeconds: values.STEP_UP_MAX_AGE_SECONDS,
    keyMaxValidityDays: values.KEY_MAX_VALIDITY_DAYS,
    integrationClientsRequireStepUp: values.INTEGRATION_CLIENTS_REQUIRE_STEP_UP === "true",
    tls,
    trustProxyHops: values.TRUST_PROXY,
    allowInsecureHttp: values.ALLOW_INSECURE_HTTP === "true",
    ratesPerMinute: {
      reads: values.RATE_LIMIT_READS_PER_MINUTE,
      writes: values.RATE_LIMIT_WRITES_PER_MINUTE,
      admin: values.RATE_LIMIT_ADMIN_PER_MINUTE,
      auth_failures: values.RATE_LIMIT_AUTH_FAILURES_PER_MINUTE
    },
    redisUrl: values.REDIS_URL ?? null,
    drainDelayMs: values.DRAIN_DELAY_MS,
    idempotencyRetentionDays: values.IDEMPOTENCY_RETENTION_DAYS === 0 ? null : values.IDEMPOTENCY_RETENTION_DAYS,
    warnings: judged.warnings
  };
}
function poolMaxOfEach(processes) {
  return Math.max(1, Math.min(10, Math.floor(80 / (processes + 1))));
}
function mistakeOf({ path, message }, present) {
  const name = path.join(".");
  return secrets.has(name) ? `${name} ${message}` : `${name} is ${JSON.stringify(present[name])}, which ${message}`;
}
function isPostgresAddress(text3) {
  if (!/^postgres(ql)?:\/\//.test(text3) || !URL.canParse(text3)) return false;
  const { username, password, pathname } = new URL(text3);
  try {
    for (const part of [username, password, pathname]) decodeURIComponent(part);
    return true;
  } catch {
    return false;
  }
}
function isLoopback(host) {
  return host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);
}

// src/database/embedded-postgres/cluster-home.ts
import { join, resolve } from "path";
function clusterHome(dataDir) {
  const root = resolve(dataDir);
  return {
    dataDir: root,
    stateFile: join(root, "postgres.json"),
    lockPrefix: join(root, "postgres.lock"),
    logFile: join(root, "postgres.log"),
    usualDirectory: join(root, "postgres")
  };
}

// src/database/embedded-postgres/cluster-state.ts
import { randomUUID } from "crypto";
import { chown, readFile as readFile2, rename, stat, writeFile } from "fs/promises";
import { isAbsolute, relative, resolve as resolve2 } from "path";

// src/database/embedded-postgres/process-identity.ts
import { execFile } from "child_process";
import { readFile } from "fs/promises";
import { promisify } from "util";
var run = promisify(execFile);
async function currentProcess() {
  return { pid: process.pid, startedAt: await readStartMark(process.pid) };
}
async function isSameProcessAlive({ pid, startedAt }) {
  if (!await isProcessAlive(pid)) return false;
  return startedAt === void 0 || startedAt === await readStartMark(pid);
}
async function isProcessAlive(pid) {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (error.code !== "EPERM") return false;
  }
  if (process.platform !== "linux") return true;
  const stat8 = await readLinuxStat(pid);
  return stat8 !== void 0 && stat8.state !== "Z" && stat8.state !== "X";
}
async function readStartMark(pid) {
  if (process.platform === "win32") return void 0;
  if (process.platform !== "linux") {
    const { stdout } = await run("ps", ["-o", "lstart=", "-p", String(pid)]).catch(() => ({ stdout: "" }));
    return stdout.trim() || void 0;
  }
  const stat8 = await readLinuxStat(pid);
  const boot = await readFile("/proc/sys/kernel/random/boot_id", "utf8").catch(() => "");
  return stat8 && `${boot.trim()}/${stat8.startTicks}`;
}
async function readLinuxStat(pid) {
  const text3 = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => void 0);
  if (text3 === void 0) return void 0;
  const fields = text3.slice(text3.lastIndexOf(")") + 2).split(" ");
  return { state: fields[0] ?? "", startTicks: fields[19] ?? "" };
}

// src/database/embedded-postgres/cluster-state.ts
async function readClusterState(home) {
  let text3;
  try {
    text3 = await readFile2(home.stateFile, "utf8");
  } catch (error) {
    const code = error.code;
    if (code === "ENOENT" || code === "ENOTDIR") return void 0;
    throw new Error(
      `${home.stateFile} cannot be read (${code}). The database was made by another user: run as that user, or set DATA_DIR to a directory of your own.`,
      { cause: error }
    );
  }
  try {
    const stored = JSON.parse(text3);
    if (typeof stored.password !== "string" || typeof stored.directory !== "string") throw new Error("incomplete");
    const { folder, ...state } = stored;
    const isCopied = !isAbsolute(state.directory) && folder !== void 0 && folder !== await folderMark(home);
    return {
      ...state,
      directory: resolve2(home.dataDir, state.directory),
      holders: isCopied ? [] : state.holders
    };
  } catch (error) {
    throw new Error(`${home.stateFile} is damaged. Restore it from a backup of DATA_DIR.`, { cause: error });
  }
}
async function writeClusterState(home, state) {
  const inside = relative(home.dataDir, state.directory);
  const directory = inside.startsWith("..") || isAbsolute(inside) ? state.directory : inside;
  const { password, isInitialized, holders } = state;
  const temporary = `${home.stateFile}.${randomUUID()}`;
  const stored = { directory, folder: await folderMark(home), password, isInitialized, holders };
  await writeFile(temporary, `${JSON.stringify(stored, null, 2)}
`, { mode: 384, flush: true });
  if (process.getuid?.() === 0) {
    const owner = await stat(home.dataDir);
    await chown(temporary, owner.uid, owner.gid);
  }
  await rename(temporary, home.stateFile);
}
async function folderMark(home) {
  return String((await stat(home.dataDir)).ino);
}
async function livingHolders(state) {
  const isAlive = await Promise.all(state.holders.map(isSameProcessAlive));
  return state.holders.filter((_, position) => isAlive[position]);
}

// src/database/embedded-postgres/find-postmaster.ts
import { setTimeout as delay } from "timers/promises";

// src/database/embedded-postgres/owner-connection.ts
import pg from "pg";
var databaseName = "centavo";
function connectionStringOf(options) {
  return `postgresql://centavo:${options.password}@127.0.0.1:${options.port}/${databaseName}`;
}
async function withOwnerConnection(address, act) {
  const client = new pg.Client({
    host: "127.0.0.1",
    port: address.port,
    user: "centavo",
    password: address.password,
    database: "postgres",
    ssl: false,
    connectionTimeoutMillis: 5e3
  });
  client.on("error", () => {
  });
  try {
    await client.connect();
    return await act(client);
  } finally {
    await client.end().catch(() => {
    });
  }
}

// src/database/embedded-postgres/postmaster-process.ts
import { readFile as readFile3, readlink, realpath, rm } from "fs/promises";
import { join as join2 } from "path";
async function findPostmasterProcess(directory) {
  const found = await readPostmasterFile(directory);
  if (found === void 0 || !await isProcessAlive(found.pid)) return void 0;
  if (process.platform !== "linux") return found;
  const name = await readFile3(`/proc/${found.pid}/comm`, "utf8").catch(() => "");
  if (name.trim() !== "postgres") return void 0;
  const workingDirectory = await readlink(`/proc/${found.pid}/cwd`).catch(() => void 0);
  if (workingDirectory !== void 0 && workingDirectory !== await realpath(directory)) return void 0;
  return found;
}
async function removeStalePostmasterFile(directory) {
  const found = await readPostmasterFile(directory);
  if (found === void 0 || !await isProcessAlive(found.pid)) return;
  if (await findPostmasterProcess(directory) === void 0)
    await rm(join2(directory, "postmaster.pid"), { force: true });
}
async function readPostmasterFile(directory) {
  const text3 = await readFile3(join2(directory, "postmaster.pid"), "utf8").catch(() => "");
  const lines = text3.split("\n");
  const pid = Number(lines[0]);
  const port = Number(lines[3]);
  return pid > 0 && port > 0 ? { pid, port } : void 0;
}

// src/database/embedded-postgres/find-postmaster.ts
var pollMs = 50;
var waitMsMax = 12e4;
async function findPostmaster(cluster4) {
  const { directory, password } = cluster4;
  const deadline = performance.now() + waitMsMax;
  for (; ; ) {
    const found = await findPostmasterProcess(directory);
    if (found === void 0) return void 0;
    const address = { port: found.port, password };
    const failure = await tryToConnect(address);
    if (failure === void 0) return { ...found, connectionString: connectionStringOf(address), wasRunning: true };
    if (!isPassing(failure) || performance.now() > deadline) {
      throw new Error(
        `Process ${found.pid} runs PostgreSQL on ${directory} but does not let us in (${failure.message}). Stop that process, then start again.`,
        { cause: failure }
      );
    }
    await delay(pollMs);
  }
}
async function tryToConnect(address) {
  try {
    await withOwnerConnection(address, async () => void 0);
    return void 0;
  } catch (error) {
    return error;
  }
}
function isPassing(failure) {
  const code = failure.code;
  return code === "57P03" || code === "ECONNREFUSED" || code === "ECONNRESET" || failure.message.includes("terminated");
}

// src/database/embedded-postgres/find-running-embedded-postgres.ts
async function findRunningEmbeddedPostgres({ dataDir }) {
  const state = await readClusterState(clusterHome(dataDir));
  if (state === void 0) return void 0;
  return (await findPostmaster(state))?.connectionString;
}

// src/database/embedded-postgres/start-embedded-postgres.ts
import { randomUUID as randomUUID4 } from "crypto";

// src/database/embedded-postgres/choose-run-user.ts
import { execFile as execFile2 } from "child_process";
import { stat as stat2 } from "fs/promises";
import { promisify as promisify2 } from "util";
var run2 = promisify2(execFile2);
var userName = "postgres";
async function chooseRunUser(options) {
  if (process.getuid?.() !== 0) return void 0;
  const owner = options.directory && await stat2(options.directory).catch(() => void 0);
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const existing = await findUser();
  if (existing !== void 0) return existing;
  options.say(`PostgreSQL does not run as root: adding the system user ${userName} for it.`);
  const reasons = [
    await tryToAdd("useradd", ["--system", "--user-group", "--no-create-home", "--shell", "/bin/false", userName])
  ];
  if (await findUser() === void 0) {
    reasons.push(await tryToAdd("adduser", ["-S", "-D", "-H", "-s", "/bin/false", userName]));
  }
  const added = await findUser();
  if (added !== void 0) return added;
  throw new Error(
    `PostgreSQL does not run as root, and no system user "${userName}" could be added (${reasons.filter(Boolean).join("; ")}). Run as an ordinary user, add that user, or set DATABASE_URL.`
  );
}
async function findUser() {
  try {
    const [uid, gid] = await Promise.all([run2("id", ["-u", userName]), run2("id", ["-g", userName])]);
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  } catch {
    return void 0;
  }
}
async function tryToAdd(program, parameters2) {
  try {
    await run2(program, parameters2);
    return void 0;
  } catch (error) {
    return error.message.trim();
  }
}

// src/database/embedded-postgres/create-cluster.ts
import { randomBytes as randomBytes2 } from "crypto";
import { chown as chown2, mkdir as mkdir3, readdir as readdir3, rename as rename3, rm as rm3, stat as stat4, writeFile as writeFile2 } from "fs/promises";
import { basename as basename2, dirname as dirname3, join as join6 } from "path";

// src/database/embedded-postgres/choose-cluster-directory.ts
import { createHash as createHash3, randomBytes } from "crypto";
import { mkdir as mkdir2, readdir as readdir2 } from "fs/promises";
import { basename, dirname as dirname2, join as join5 } from "path";

// src/database/embedded-postgres/prepare-binaries.ts
import { randomUUID as randomUUID2 } from "crypto";
import { chmod, cp, mkdir, readdir, rename as rename2, rm as rm2, stat as stat3 } from "fs/promises";
import { join as join4 } from "path";

// src/database/embedded-postgres/find-native-directory.ts
import { readFileSync as readFileSync2 } from "fs";
import { createRequire } from "module";
import { dirname, join as join3 } from "path";
var require2 = createRequire(import.meta.url);
var platforms = ["darwin-arm64", "darwin-x64", "linux-arm64", "linux-x64", "windows-x64"];
function findNativeDirectory() {
  const platform = `${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
  try {
    const root = dirname(dirname(require2.resolve(`@embedded-postgres/${platform}`)));
    const { version } = JSON.parse(readFileSync2(join3(root, "package.json"), "utf8"));
    return { native: join3(root, "native"), name: `postgresql-${version}-${platform}` };
  } catch (error) {
    const reason = platforms.includes(platform) ? `The embedded PostgreSQL for ${platform} is not installed (optional dependencies were left out).` : `There is no embedded PostgreSQL for ${platform}.`;
    throw new Error(`${reason} Set DATABASE_URL to a PostgreSQL 15 or newer.`, { cause: error });
  }
}

// src/database/embedded-postgres/run-program.ts
import { spawn } from "child_process";
function runProgram(options) {
  return new Promise((resolve4) => {
    let output = "";
    const child = spawn(options.file, options.parameters, {
      ...options.runUser,
      // Our own directory may be one that the other user cannot enter.
      cwd: "/",
      env: programEnvironment(),
      stdio: ["ignore", "pipe", "pipe"],
      windowsHide: true
    });
    const keep = (chunk) => {
      output += chunk.toString("utf8");
    };
    child.stdout.on("data", keep);
    child.stderr.on("data", keep);
    child.once("error", (error) => resolve4({ code: null, output: error.message }));
    child.once("close", (code) => resolve4({ code, output }));
  });
}
function programEnvironment() {
  const { PATH, SystemRoot, TEMP } = process.env;
  return {
    LC_ALL: "C",
    TZ: "UTC",
    ...PATH !== void 0 && { PATH },
    ...SystemRoot !== void 0 && { SystemRoot },
    ...TEMP !== void 0 && { TEMP }
  };
}

// src/database/embedded-postgres/prepare-binaries.ts
var sharedRoot = "/var/lib/centavo";
async function prepareBinaries(options) {
  const { native, name } = findNativeDirectory();
  const { runUser, say } = options;
  const inPlace = binariesIn(native);
  const trial = await tryToRun(inPlace, runUser);
  if (trial.works) return inPlace;
  if (runUser === void 0) throw cannotRun(native, trial.reason);
  const target = join4(sharedRoot, name);
  if (await stat3(target).catch(() => void 0) === void 0) {
    say(`PostgreSQL's user cannot reach ${native}; copying the programs to ${target}.`);
    await copyForEverybody(native, target);
  }
  const copied = binariesIn(target);
  const secondTrial = await tryToRun(copied, runUser);
  if (!secondTrial.works) throw cannotRun(target, secondTrial.reason);
  return copied;
}
function binariesIn(native) {
  const suffix = process.platform === "win32" ? ".exe" : "";
  const path = (program) => join4(native, "bin", program + suffix);
  return { initdb: path("initdb"), postgres: path("postgres"), pgCtl: path("pg_ctl") };
}
async function tryToRun({ initdb, postgres }, runUser) {
  const results = await Promise.all(
    [initdb, postgres].map((file) => runProgram({ file, parameters: ["--version"], runUser }))
  );
  const failed = results.find((result) => result.code !== 0);
  return { works: failed === void 0, reason: failed?.output.trim() ?? "" };
}
async function copyForEverybody(source, target) {
  const draft = `${target}.new-${randomUUID2()}`;
  try {
    await mkdir(sharedRoot, { recursive: true, mode: 493 });
    await cp(source, draft, { recursive: true, verbatimSymlinks: true });
    await openToEverybody(draft);
    await rename2(draft, target);
  } catch (error) {
    await rm2(draft, { recursive: true, force: true });
    if (await stat3(target).catch(() => void 0) !== void 0) return;
    throw new Error(
      `PostgreSQL's programs cannot be copied to ${target}. Move the checkout to a folder that every user can enter, or set DATABASE_URL.`,
      { cause: error }
    );
  }
}
async function openToEverybody(folder) {
  await chmod(folder, 493);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join4(folder, entry.name);
    if (entry.isDirectory()) await openToEverybody(path);
    else if (entry.isFile()) await chmod(path, ((await stat3(path)).mode & 64) === 0 ? 420 : 493);
  }
}
function cannotRun(folder, reason) {
  return new Error(
    `PostgreSQL's programs in ${folder} do not run here: ${reason} Set DATABASE_URL to a PostgreSQL 15 or newer.`
  );
}

// src/database/embedded-postgres/choose-cluster-directory.ts
async function chooseClusterDirectory(options) {
  const { home, runUser, previous, say } = options;
  if (runUser === void 0 || await canEnter(home.dataDir, runUser)) return home.usualDirectory;
  const prefix = `${createHash3("sha256").update(home.dataDir).digest("hex").slice(0, 16)}-`;
  await mkdir2(sharedRoot, { recursive: true, mode: 493 });
  const isPreviousThere = previous !== void 0 && dirname2(previous) === sharedRoot;
  const chosen = isPreviousThere ? previous : join5(sharedRoot, prefix + randomBytes(4).toString("hex"));
  say(`PostgreSQL's user cannot enter ${home.dataDir}; the data goes to ${chosen} instead.`);
  for (const name of await readdir2(sharedRoot)) {
    if (name.startsWith(prefix) && !name.startsWith(basename(chosen))) {
      say(
        `An earlier database of the same DATA_DIR is still in ${join5(sharedRoot, name)}; delete it if you do not need it.`
      );
    }
  }
  return chosen;
}
async function canEnter(folder, runUser) {
  const { code } = await runProgram({ file: "/bin/sh", parameters: ["-c", 'cd -- "$1"', "sh", folder], runUser });
  return code === 0;
}

// src/database/embedded-postgres/create-cluster.ts
async function createCluster(options) {
  const { home, say } = options;
  const state = await readClusterState(home);
  if (state !== void 0 && await exists(state.directory)) return { ...state, isInitialized: true };
  if (state?.isInitialized) {
    throw new Error(
      `The database of ${home.dataDir} should be in ${state.directory}, but that is missing. Mount or restore it; to begin with an empty database, delete ${home.stateFile}.`
    );
  }
  if (state === void 0 && await exists(home.usualDirectory)) {
    throw new Error(
      `${home.usualDirectory} holds a database, but its password file ${home.stateFile} is missing. Restore that file, or move the directory away.`
    );
  }
  const directory = await chooseClusterDirectory({ ...options, previous: state?.directory });
  const planned = {
    directory,
    password: state?.password ?? randomBytes2(24).toString("base64url"),
    isInitialized: false,
    holders: []
  };
  await writeClusterState(home, planned);
  await removeUnfinished({ directory, say });
  say(`Creating a PostgreSQL database in ${directory}.`);
  await initialize({ ...options, ...planned });
  const finished = { ...planned, isInitialized: true };
  await writeClusterState(home, finished);
  return finished;
}
async function initialize(options) {
  const { binaries, runUser, durable, directory, password } = options;
  const draft = unfinishedPrefix(directory) + randomBytes2(4).toString("hex");
  const passwordFile = join6(draft, "password");
  const data = join6(draft, "data");
  await mkdir3(draft, { mode: 448 });
  await writeFile2(passwordFile, password, { mode: 384 });
  if (runUser !== void 0) {
    await chown2(passwordFile, runUser.uid, runUser.gid);
    await chown2(draft, runUser.uid, runUser.gid);
  }
  try {
    const { code, output } = await runProgram({
      file: binaries.initdb,
      parameters: [
        `--pgdata=${data}`,
        "--username=centavo",
        `--pwfile=${passwordFile}`,
        "--auth=scram-sha-256",
        "--encoding=UTF8",
        // The collation is PostgreSQL's own, so sorting does not depend on the machine, nor change when its C library does.
        "--locale=C",
        "--locale-provider=builtin",
        "--builtin-locale=C.UTF-8",
        "--no-instructions",
        ...durable ? [] : ["--no-sync"]
      ],
      runUser
    });
    if (code !== 0) {
      const reason = output.trim().split("\n").slice(-5).join("\n");
      throw new Error(
        `initdb could not make a database in ${directory}:
${reason}
Set DATA_DIR to another directory, or DATABASE_URL to a PostgreSQL 15 or newer.`
      );
    }
    await rename3(data, directory);
  } finally {
    await rm3(draft, { recursive: true, force: true });
  }
}
var unfinishedPrefix = (directory) => `${directory}.new-`;
async function removeUnfinished(options) {
  const { directory, say } = options;
  const prefix = basename2(unfinishedPrefix(directory));
  const names = await readdir3(dirname3(directory));
  const unfinished = names.filter((name) => name.startsWith(prefix));
  for (const name of unfinished) {
    const folder = join6(dirname3(directory), name);
    await rm3(folder, { recursive: true, force: true, maxRetries: 8, retryDelay: 100 }).catch(
      () => say(`An interrupted attempt left ${folder}; delete it.`)
    );
  }
}
async function exists(directory) {
  return await stat4(directory).catch(() => void 0) !== void 0;
}

// src/database/embedded-postgres/ensure-database.ts
async function ensureDatabase(address) {
  return withOwnerConnection(address, async (client) => {
    const { rowCount } = await client.query("select 1 from pg_database where datname = $1", [databaseName]);
    if (rowCount === 1) return false;
    await client.query(`create database ${databaseName}`);
    return true;
  });
}

// src/database/embedded-postgres/launch-postmaster.ts
import { spawn as spawn2 } from "child_process";
import { open as open2, stat as stat6 } from "fs/promises";
import { createServer } from "net";
import { setTimeout as delay2 } from "timers/promises";

// src/database/embedded-postgres/postgres-log.ts
import { open, rename as rename4, stat as stat5 } from "fs/promises";
var logBytesMax = 1024 * 1024;
var linesMax = 8;
var tailBytesMax = 16 * 1024;
async function rotateLog(logFile) {
  const size = (await stat5(logFile).catch(() => void 0))?.size ?? 0;
  if (size > logBytesMax) await rename4(logFile, `${logFile}.1`);
}
async function lastLogLines({ logFile, from }) {
  const file = await open(logFile, "r");
  try {
    const { size } = await file.stat();
    const start = Math.max(from, size - tailBytesMax);
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(Math.max(0, size - start)), position: start });
    const lines = buffer.toString("utf8", 0, bytesRead).split("\n");
    return lines.filter((line) => line !== "").slice(-linesMax);
  } finally {
    await file.close();
  }
}

// src/database/embedded-postgres/postgres-settings.ts
function postgresSettings({ port, durable }) {
  const settings = {
    port: String(port),
    listen_addresses: "127.0.0.1",
    // No socket files: they would be a second door, guarded by the folder's mode instead of the password.
    unix_socket_directories: "",
    password_encryption: "scram-sha-256",
    max_connections: "100",
    shared_buffers: "128MB",
    timezone: "UTC",
    log_timezone: "UTC",
    // `log` hides the errors of single statements: they quote the statement and the row, so amounts would land in a log.
    // The server itself reports those errors in its own words.
    log_min_messages: "log",
    log_checkpoints: "off",
    ...durable ? {} : { fsync: "off", synchronous_commit: "off", full_page_writes: "off" }
  };
  return Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}

// src/database/embedded-postgres/launch-postmaster.ts
var pollMs2 = 50;
var readyMsMax = 12e4;
var attemptsMax = 20;
var attemptPauseMs = 250;
async function launchPostmaster(launch) {
  for (let attempt = 1; ; attempt += 1) {
    await removeStalePostmasterFile(launch.directory);
    const outcome = await launchOnce(launch);
    if ("pid" in outcome) return outcome;
    const running = await findPostmaster(launch);
    if (running !== void 0) return running;
    if (attempt >= attemptsMax || !isPassing2(outcome.reason)) {
      throw new Error(
        `PostgreSQL did not start on ${launch.directory}:
${outcome.reason}
More is in ${launch.home.logFile}. Remove the cause, or set DATABASE_URL to another PostgreSQL.`
      );
    }
    await delay2(attemptPauseMs);
  }
}
function isPassing2(reason) {
  return /could not bind|could not create any TCP|pre-existing shared memory block|postmaster\.pid" already exists/.test(
    reason
  );
}
async function launchOnce(launch) {
  const { home, directory, password, binaries, runUser, durable } = launch;
  const port = await chooseFreePort();
  await rotateLog(home.logFile);
  const log = await open2(home.logFile, "a", 384);
  if (runUser !== void 0) {
    const owner = await stat6(home.dataDir);
    await log.chown(owner.uid, owner.gid);
  }
  const logStart = (await log.stat()).size;
  const child = spawn2(binaries.postgres, ["-D", directory, ...postgresSettings({ port, durable })], {
    ...runUser,
    cwd: "/",
    env: programEnvironment(),
    // A session of its own: Ctrl-C in the terminal must reach the server alone, which first finishes the requests at hand.
    detached: true,
    windowsHide: true,
    // A file, not a pipe: PostgreSQL outlives a killed server and must not die of a closed pipe.
    stdio: ["ignore", log.fd, log.fd]
  });
  let failure;
  child.once("error", (error) => {
    failure = error.message;
  });
  child.once("exit", (code, signal) => {
    failure ??= `ended with ${signal ?? `code ${code}`}`;
  });
  await log.close();
  const deadline = performance.now() + readyMsMax;
  while (failure === void 0) {
    if (child.pid !== void 0 && await tryToConnect({ port, password }) === void 0) {
      child.unref();
      return { pid: child.pid, port, connectionString: connectionStringOf({ port, password }), wasRunning: false };
    }
    if (performance.now() > deadline) failure = `not ready after ${readyMsMax / 1e3} s; it may still be recovering`;
    await delay2(pollMs2);
  }
  return { reason: [failure, ...await lastLogLines({ logFile: home.logFile, from: logStart })].join("\n") };
}
function chooseFreePort() {
  return new Promise((resolve4, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => resolve4(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}

// src/database/embedded-postgres/prepare-data-dir.ts
import { mkdir as mkdir4, realpath as realpath2, stat as stat7 } from "fs/promises";
import { dirname as dirname4, resolve as resolve3 } from "path";
async function prepareDataDir(dataDir) {
  const path = resolve3(dataDir);
  try {
    await makeFolder(path, process.getuid?.() === 0 ? 457 : 448);
    return await realpath2(path);
  } catch (error) {
    const reason = error.code ?? error.message;
    throw new Error(
      `DATA_DIR ${path} cannot be made (${reason}). Set DATA_DIR to a directory that this user may write.`,
      { cause: error }
    );
  }
}
async function makeFolder(path, mode) {
  const parent = dirname4(path);
  if (parent !== path && await stat7(parent).catch(() => void 0) === void 0) await makeFolder(parent, mode);
  try {
    await mkdir4(path, { mode });
  } catch (error) {
    const isThere = (await stat7(path).catch(() => void 0))?.isDirectory() === true;
    if (!isThere) throw error;
  }
}

// src/database/embedded-postgres/release-cluster.ts
import { setTimeout as delay3 } from "timers/promises";
var pollMs3 = 20;
var fastMsMax = 6e4;
var immediateMsMax = 15e3;
async function releaseCluster(options) {
  const state = await readClusterState(options.home);
  if (state === void 0) return;
  const holders = (await livingHolders(state)).filter((holder) => holder.id !== options.holderId);
  await writeClusterState(options.home, { ...state, holders });
  if (holders.length > 0) return;
  const pid = (await findPostmasterProcess(state.directory))?.pid;
  if (pid === void 0) return;
  if (await endsAfter({ pid, signal: "INT", waitMsMax: fastMsMax, binaries: options.binaries })) return;
  if (await endsAfter({ pid, signal: "QUIT", waitMsMax: immediateMsMax, binaries: options.binaries })) return;
  throw new Error(`PostgreSQL (process ${pid}) does not end. Stop it by hand.`);
}
async function endsAfter(options) {
  const { pid, signal, waitMsMax: waitMsMax3, binaries } = options;
  if (process.platform === "win32") {
    await runProgram({ file: binaries.pgCtl, parameters: ["kill", signal, String(pid)], runUser: void 0 });
  } else {
    try {
      process.kill(pid, `SIG${signal}`);
    } catch (error) {
      if (error.code === "ESRCH") return true;
      throw error;
    }
  }
  const deadline = performance.now() + waitMsMax3;
  while (await isProcessAlive(pid)) {
    if (performance.now() > deadline) return false;
    await delay3(pollMs3);
  }
  return true;
}

// src/database/embedded-postgres/start-lock.ts
import { randomUUID as randomUUID3 } from "crypto";
import { link, readdir as readdir4, readFile as readFile4, rename as rename5, rm as rm4, writeFile as writeFile3 } from "fs/promises";
import { basename as basename3, dirname as dirname5 } from "path";
import { setTimeout as delay4 } from "timers/promises";
var pollMs4 = 50;
var waitMsMax2 = 12e4;
async function withStartLock(lockPrefix, act) {
  const me = { ...await currentProcess(), isFree: false };
  const deadline = performance.now() + waitMsMax2;
  for (; ; ) {
    const highest = (await listLocks(lockPrefix)).at(-1) ?? 0;
    const mark = highest === 0 ? void 0 : await readMark(lockPrefix, highest);
    if (mark === void 0 || mark.isFree || !await isSameProcessAlive(mark)) {
      const mine = highest + 1;
      if (await tryTake(lockPrefix, mine, me)) {
        try {
          return await act();
        } finally {
          await writeMark(lockFile(lockPrefix, mine), { ...me, isFree: true });
        }
      }
    } else if (performance.now() > deadline) {
      throw new Error(
        `Process ${mark.pid} holds ${lockFile(lockPrefix, highest)} for too long. Stop it, then try again.`
      );
    }
    await delay4(pollMs4);
  }
}
var lockFile = (prefix, number) => `${prefix}.${number}`;
async function tryTake(prefix, number, me) {
  const file = lockFile(prefix, number);
  const draft = `${prefix}.draft-${randomUUID3()}`;
  await writeFile3(draft, JSON.stringify(me), { mode: 420 });
  try {
    await link(draft, file);
  } catch (error) {
    if (error.code === "EEXIST") return false;
    throw error;
  } finally {
    await rm4(draft, { force: true });
  }
  const numbers = await listLocks(prefix);
  const isLatest = numbers.at(-1) === number;
  const superfluous = isLatest ? numbers.slice(0, -1) : [number];
  await Promise.all(superfluous.map((each) => rm4(lockFile(prefix, each), { force: true })));
  return isLatest;
}
async function listLocks(prefix) {
  const start = `${basename3(prefix)}.`;
  return (await readdir4(dirname5(prefix))).filter((name) => name.startsWith(start) && /^\d+$/.test(name.slice(start.length))).map((name) => Number(name.slice(start.length))).sort((a, b) => a - b);
}
async function readMark(prefix, number) {
  const text3 = await readFile4(lockFile(prefix, number), "utf8").catch((error) => {
    if (error.code === "ENOENT") return void 0;
    throw error;
  });
  return text3 === void 0 ? void 0 : JSON.parse(text3);
}
async function writeMark(file, mark) {
  const draft = `${file}.draft-${randomUUID3()}`;
  await writeFile3(draft, JSON.stringify(mark), { mode: 420 });
  await rename5(draft, file);
}

// src/database/embedded-postgres/until-process-ends.ts
import { setTimeout as delay5 } from "timers/promises";
var pollMs5 = 500;
async function untilProcessEnds(options) {
  const { pid, giveUp } = options;
  while (!giveUp.aborted) {
    const isAlive = await isProcessAlive(pid);
    if (!isAlive && !giveUp.aborted) return;
    await delay5(pollMs5, void 0, { ref: false });
  }
  await new Promise(() => {
  });
}

// src/database/embedded-postgres/start-embedded-postgres.ts
async function startEmbeddedPostgres(options) {
  const { say, durable = true } = options;
  const dataDir = await prepareDataDir(options.dataDir);
  const home = clusterHome(dataDir);
  return withStartLock(home.lockPrefix, async () => {
    const runUser = await chooseRunUser({ directory: (await readClusterState(home))?.directory, say });
    const binaries = await prepareBinaries({ runUser, say });
    const cluster4 = await createCluster({ home, binaries, runUser, durable, say });
    if (cluster4.directory !== home.usualDirectory) say(`The data of ${dataDir} is in ${cluster4.directory}.`);
    const running = await findPostmaster({ directory: cluster4.directory, password: cluster4.password }) ?? await launchPostmaster({ home, ...cluster4, binaries, runUser, durable });
    if (running.wasRunning) say(`PostgreSQL was already running (process ${running.pid}); using it.`);
    const holder = { id: randomUUID4(), ...await currentProcess() };
    await writeClusterState(home, { ...cluster4, holders: [...await livingHolders(cluster4), holder] });
    const leave = () => releaseCluster({ home, holderId: holder.id, binaries });
    const isNew = await ensureDatabase({ port: running.port, password: cluster4.password }).catch(async (error) => {
      await leave();
      throw error;
    });
    const stopping = new AbortController();
    let leaving;
    return {
      connectionString: running.connectionString,
      isNew,
      directory: cluster4.directory,
      pid: running.pid,
      async untilLost() {
        await untilProcessEnds({ pid: running.pid, giveUp: stopping.signal });
        return `The embedded PostgreSQL (process ${running.pid}) has ended without being asked to. Its log is ${home.logFile}.`;
      },
      stop() {
        stopping.abort();
        leaving ??= withStartLock(home.lockPrefix, leave);
        return leaving;
      }
    };
  });
}

// src/database/postgres-errors.ts
var CommitOutcomeUnknown = class extends Error {
  constructor(cause) {
    super("The outcome of a COMMIT is unknown", { cause });
    this.name = "CommitOutcomeUnknown";
  }
};
var DatabaseAway = class extends Error {
  constructor(cause) {
    super("No database connection could be had", { cause });
    this.name = "DatabaseAway";
  }
};
var StaleFacts = class extends Error {
  constructor() {
    super("The facts of a decision changed before it was recorded");
    this.name = "StaleFacts";
  }
};
function sqlStateOf(error) {
  const code = error?.code;
  return typeof code === "string" && /^[0-9A-DF-Z][0-9A-Z]{4}$/.test(code) ? code : void 0;
}
var connectionStates = /^(08...|57P0[1-5])$/;
var connectionMessages = /Connection terminated|Connection ended|timeout exceeded|Timeout acquiring a connection|Client has encountered a connection error|not queryable|aborted/i;
function isConnectionFailure(error) {
  if (error instanceof DatabaseAway) return true;
  const state = sqlStateOf(error);
  if (state !== void 0) return connectionStates.test(state) || isLostOnOtherMachine(state, error);
  if (!(error instanceof Error)) return false;
  const systemCode = error.code;
  if (typeof systemCode === "string" && /^E[A-Z]+$/.test(systemCode)) return true;
  return error.name === "KnexTimeoutError" || connectionMessages.test(error.message);
}
var lostOnOtherMachine = /^could not commit transaction for shard |^failure on connection marked as essential/;
function isLostOnOtherMachine(state, error) {
  return state === "XX000" && lostOnOtherMachine.test(error.message ?? "");
}
var repeatableStates = /* @__PURE__ */ new Set(["40001", "40P01", "55P03", "57014", "53300", "57P03"]);
function isRepeatable(error) {
  if (error instanceof StaleFacts || isPlanOutdated(error)) return true;
  if (error instanceof CommitOutcomeUnknown) return false;
  const state = sqlStateOf(error);
  return state !== void 0 && repeatableStates.has(state) || isConnectionFailure(error);
}
var waitStates = /* @__PURE__ */ new Set(["55P03", "57014"]);
function hasWaitedInVain(error) {
  return waitStates.has(sqlStateOf(error) ?? "") || isConnectionFailure(error);
}
function isPlanOutdated(error) {
  return sqlStateOf(error) === "0A000" && error.routine === "RevalidateCachedQuery";
}
var shortageStates = /^(53...|58030)$/;
function isOutage(error) {
  return isRepeatable(error) || shortageStates.test(sqlStateOf(error) ?? "");
}
function isWithoutWrites(error) {
  return sqlStateOf(error) === "25006";
}
function isPreparedStatementLost(error) {
  const state = sqlStateOf(error);
  return state === "26000" || state === "42P05";
}
function isOfOthersInFront(error) {
  return isConnectionFailure(error) || isPreparedStatementLost(error);
}
function violatesNotNull(error, column) {
  if (sqlStateOf(error) !== "23502") return false;
  const { column: named, message = "" } = error;
  return typeof named === "string" ? named === column : quotedNames(message)[0] === column;
}
function violatedConstraint(error) {
  const state = sqlStateOf(error);
  if (state === void 0 || !state.startsWith("23")) return void 0;
  const { constraint, message = "" } = error;
  const name = typeof constraint === "string" ? constraint : state === "23502" ? void 0 : quotedNames(message).at(-1);
  return name?.replace(shardNumber, "");
}
var shardNumber = /_\d{6,}$/;
function quotedNames(message) {
  return [...message.matchAll(/["„«“]\s?(\w+)\s?["“»”]/g)].map(([, name]) => name ?? "");
}

// src/database/explain-refusal.ts
function explainRefusal(databaseUrl, failure) {
  const place = placeOf(databaseUrl);
  const reason = failure instanceof DatabaseAway ? failure.cause : failure;
  if (!(reason instanceof Error)) return failure;
  const state = sqlStateOf(reason);
  if (state !== void 0) return new Error(refusedText({ reason, state, place }), { cause: failure });
  if (sqlStateOf(reason.cause) === "42501") {
    return new Error(`${reason.message} ${remedyOfMissingRight(reason.message, place)}`, { cause: failure });
  }
  const isUnanswered = failure instanceof DatabaseAway || isConnectionFailure(reason);
  return isUnanswered ? new Error(unansweredText(reason, place), { cause: failure }) : failure;
}
function placeOf(databaseUrl) {
  const { hostname, port, username, password, pathname, searchParams } = new URL(databaseUrl);
  const host = hostname || searchParams.get("host") || "localhost";
  const user = decodeURIComponent(username) || searchParams.get("user") || "";
  return {
    address: `${host}:${port || searchParams.get("port") || 5432}`,
    user,
    hasPassword: (password || searchParams.get("password") || process.env.PGPASSWORD || "") !== "",
    database: decodeURIComponent(pathname.slice(1)) || user
  };
}
function unansweredText(reason, place) {
  if (/client password must be/.test(reason.message)) return passwordMissing(place);
  const subject = `The PostgreSQL of DATABASE_URL at ${place.address}`;
  const { code } = reason;
  if (/does not support SSL/.test(reason.message)) {
    return `${subject} offers no TLS. Switch it on there, or take sslmode out of DATABASE_URL.`;
  }
  if (/^E[A-Z]+$/.test(code ?? "")) {
    return `${subject} does not answer (${code}). Start it, correct DATABASE_URL, or unset it to use the embedded one.`;
  }
  return `What is at ${place.address} does not answer as a PostgreSQL does (${reason.message}). Correct DATABASE_URL, or unset it to use the embedded one.`;
}
function refusedText({ reason, state, place }) {
  if (state === "28P01" && !place.hasPassword) return passwordMissing(place);
  return `The PostgreSQL of DATABASE_URL at ${place.address} refused: ${reason.message}. ${remedyOf({ reason, state, place })}`;
}
function passwordMissing({ user, address }) {
  const named = user === "" ? "DATABASE_URL has no password" : `DATABASE_URL names user ${user} without a password`;
  return `${named}, and the PostgreSQL at ${address} asks for one. Put it into DATABASE_URL.`;
}
function remedyOf({ reason, state, place }) {
  const { user, database } = place;
  switch (state) {
    case "28P01":
      return "Correct user and password in DATABASE_URL.";
    case "28000":
      return "Correct the user in DATABASE_URL, or let it in (pg_hba.conf of that PostgreSQL).";
    case "3D000":
      return `Create it ("create database ${database} owner ${user}"), or correct DATABASE_URL.`;
    case "53300":
      return "End some of its connections or raise its max_connections; DATABASE_POOL_MAX says how many Centavo takes.";
    case "57P03":
      return "It is starting or stopping: start again in a moment.";
    case "42501":
      return remedyOfMissingRight(reason.message, place);
    default:
      return "Correct DATABASE_URL, or what it names.";
  }
}
function remedyOfMissingRight(message, { user, database }) {
  return /must be owner of|for (table|sequence|view|function|schema (?!public\b))/.test(message) ? `It belongs to another user: name that one in DATABASE_URL, or let an administrator run "reassign owned by OTHER to ${user}" in ${database}, where OTHER is that user.` : `Let an administrator run "alter database ${database} owner to ${user}", then start again.`;
}

// src/database/migrate.ts
import pg3 from "pg";

// src/database/migration-files.ts
import { createHash as createHash4 } from "crypto";
import { readdir as readdir5, readFile as readFile5 } from "fs/promises";
import { join as join7 } from "path";
async function readMigrationFiles(directory) {
  const names = (await readdir5(directory)).filter((name) => name.endsWith(".sql")).sort();
  for (const [position, name] of names.entries()) {
    if (!/^\d{4}_[a-z0-9_-]+\.sql$/.test(name)) throw new Error(`Migration ${name} must be named like 0001_name.sql.`);
    const previous = names[position - 1];
    if (previous?.slice(0, 4) === name.slice(0, 4)) {
      throw new Error(`Migrations ${previous} and ${name} have the same number.`);
    }
  }
  return Promise.all(
    names.map(async (name) => {
      const sql = (await readFile5(join7(directory, name), "utf8")).replaceAll("\r\n", "\n");
      return { name, sql, sha256: createHash4("sha256").update(sql).digest("hex") };
    })
  );
}

// src/database/plan-migrations.ts
function planMigrations(options) {
  const { files: files2, applied } = options;
  const known = new Map(files2.map((file) => [file.name, file]));
  for (const { name, sha256 } of applied) {
    const file = known.get(name);
    if (file === void 0) {
      throw new Error(
        `The database has migration ${name}, which this version does not know. Run the version that made it, or a newer one.`
      );
    }
    if (file.sha256 !== sha256) {
      throw new Error(
        `Migration ${name} was changed after it was applied. Restore it, and put the change into a new migration.`
      );
    }
  }
  const appliedNames = new Set(applied.map((migration) => migration.name));
  const pending = files2.filter((file) => !appliedNames.has(file.name));
  const first2 = pending[0];
  const late = first2 && applied.find((migration) => migration.name > first2.name);
  if (first2 !== void 0 && late !== void 0) {
    throw new Error(
      `Migration ${first2.name} comes before ${late.name}, which is already applied. Give it a higher number.`
    );
  }
  return pending;
}

// src/database/read-applied-migrations.ts
async function readAppliedMigrations(client) {
  const { rows } = await client.query(
    "select to_regclass('public.centavo_migrations') is not null as exists"
  );
  if (rows[0]?.exists !== true) return [];
  const result = await client.query(
    'select name, sha256 from public.centavo_migrations order by name collate "C"'
  );
  return result.rows;
}

// src/database/require-roles.ts
var roles = ["centavo_app", "centavo_identity", "centavo_definer"];
async function requireRoles(client, options) {
  const { rows } = await client.query(stateOfRoles, [roles]);
  const missing = rows.filter((role) => !role.mayBecome && !(options.mayBeMade && role.mayMake));
  if (missing.length === 0) return;
  const statements2 = missing.flatMap(({ name, user, exists: exists2 }) => [
    ...exists2 ? [] : [`  create role ${name} nologin;`],
    `  grant ${name} to ${user};`
  ]);
  const names = missing.map(({ name }) => name).join(", ");
  throw new Error(
    `The user ${missing[0]?.user} of DATABASE_URL may not become the role${missing.length === 1 ? "" : "s"} ${names}. Nothing was changed. Let an administrator of that PostgreSQL run this, then start again:
${statements2.join("\n")}`
  );
}
var stateOfRoles = `
  select wanted.name, quote_ident(current_user) as user, r.oid is not null as exists,
    coalesce(case when server.number >= 160000
      then pg_has_role(r.oid, 'SET') and pg_has_role(r.oid, 'USAGE')
      else pg_has_role(r.oid, 'MEMBER') end, false) as "mayBecome",
    me.rolsuper or (me.rolcreaterole and (r.oid is null or server.number < 160000
      or pg_has_role(r.oid, 'MEMBER WITH ADMIN OPTION'))) as "mayMake"
  from unnest($1::text[]) with ordinality as wanted (name, position)
    left join pg_roles r on r.rolname = wanted.name
    cross join (select current_setting('server_version_num')::int as number) as server
    join pg_roles me on me.rolname = current_user
  order by wanted.position`;

// src/database/split-statements.ts
var token = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|(\$\w*\$)[\s\S]*?\1|;|[^;'"$/-]+|[\s\S]/g;
function splitStatements(sql) {
  const statements2 = [];
  let offset = 0;
  let says = false;
  for (const { 0: text3, index } of sql.matchAll(token)) {
    if (text3 === ";") {
      if (says) statements2.push({ sql: sql.slice(offset, index), offset });
      offset = index + 1;
      says = false;
    } else if (!/^(?:--|\/\*)/.test(text3) && text3.trim() !== "") {
      says = true;
    }
  }
  return says ? [...statements2, { sql: sql.slice(offset), offset }] : statements2;
}

// src/database/pending-migrations.ts
import pg2 from "pg";
var connectMsMax = 1e4;
async function pendingMigrations(options) {
  const files2 = await readMigrationFiles(options.directory);
  const client = new pg2.Client({
    connectionString: options.connectionString,
    connectionTimeoutMillis: connectMsMax
  });
  client.on("error", () => {
  });
  await client.connect();
  try {
    return planMigrations({ files: files2, applied: await readAppliedMigrations(client) }).map((file) => file.name);
  } finally {
    await client.end().catch(() => {
    });
  }
}

// src/database/migrate.ts
var lockKey = 1667591796;
var connectMsMax2 = 1e4;
async function migrate(options) {
  const files2 = await readMigrationFiles(options.directory);
  const client = new pg3.Client({
    connectionString: options.connectionString,
    connectionTimeoutMillis: connectMsMax2
  });
  client.on("error", () => {
  });
  try {
    await client.connect().catch((cause) => {
      throw new DatabaseAway(cause);
    });
    await requireSupportedVersion(client);
    const applied = [];
    for (; ; ) {
      await client.query("begin");
      await client.query("select pg_advisory_xact_lock($1)", [lockKey]);
      const done = await readAppliedMigrations(client);
      await requireRoles(client, { mayBeMade: done.length === 0 });
      const [next] = planMigrations({ files: files2, applied: done });
      if (next === void 0) {
        await client.query("rollback");
        return { applied };
      }
      await apply(client, next);
      await client.query("commit");
      applied.push(next.name);
    }
  } finally {
    await client.end().catch(() => {
    });
  }
}
async function requireSupportedVersion(client) {
  const { rows } = await client.query(
    "select current_setting('server_version_num')::int as number, current_setting('server_version') as name"
  );
  const version = rows[0];
  if (version === void 0 || version.number < 15e4) {
    throw new Error(
      `Centavo needs PostgreSQL 15 or newer; this is ${version?.name ?? "unknown"}. Point DATABASE_URL at a newer one.`
    );
  }
}
async function apply(client, file) {
  await client.query(
    "create table if not exists public.centavo_migrations (name text primary key, sha256 text not null, applied_at timestamptz not null default now())"
  );
  await client.query(`set local citus.multi_shard_modify_mode = 'sequential'`);
  for (const statement of splitStatements(file.sql)) {
    await client.query(statement.sql).catch((error) => {
      const { message, position } = error;
      const before = file.sql.slice(0, statement.offset + Number(position));
      const line = position === void 0 ? "" : ` (line ${before.split("\n").length})`;
      const reason = message.replace(/\.$/, "");
      throw new Error(`Migration ${file.name} failed${line}: ${reason}. Nothing of it was applied.`, { cause: error });
    });
  }
  await client.query("insert into public.centavo_migrations (name, sha256) values ($1, $2)", [file.name, file.sha256]);
}

// src/commands/open-database.ts
async function openDatabase(options) {
  const { config, say } = options;
  const embedded = config.databaseUrl === null ? await startEmbeddedPostgres({ dataDir: config.dataDir, say }) : null;
  const connectionString = config.databaseUrl ?? embedded?.connectionString ?? "";
  const untilLost = () => embedded?.untilLost() ?? new Promise(() => {
  });
  const close = async () => embedded?.stop();
  try {
    const { applied } = await migrate({ connectionString, directory: options.migrations }).catch((error) => {
      throw config.databaseUrl === null ? error : explainRefusal(config.databaseUrl, error);
    });
    return { connectionString, applied, untilLost, close };
  } catch (error) {
    await close();
    throw error;
  }
}

// src/database/database.ts
import knexModule from "knex";
import pg6 from "pg";

// src/database/deadlines.ts
var tickMs = 20;
var Deadlines = class {
  #awaited = [];
  #clock;
  add(awaited) {
    this.#awaited.push(awaited);
    this.#clock ??= setInterval(() => this.#tick(), tickMs).unref();
  }
  /** It has come, or was given up; it may be told twice. */
  remove(awaited) {
    const place = this.#awaited.indexOf(awaited);
    if (place !== -1) this.#awaited.splice(place, 1);
  }
  #tick() {
    const now = performance.now();
    for (const awaited of this.#awaited.filter(({ expiresAt }) => expiresAt <= now)) awaited.expire();
    if (this.#awaited.length > 0) return;
    clearInterval(this.#clock);
    this.#clock = void 0;
  }
};

// src/database/line.ts
var RideLost = class extends Error {
  constructor(cause) {
    super("Statements in front on the same connection kept this transaction from its answers", { cause });
    this.name = "RideLost";
  }
};
var seatsMax = 4;
var rideableMs = 5;
var rideMsMax = 25;
var Line = class {
  connection;
  isShared;
  deadlines;
  #onEmpty;
  #onAnswered;
  #seats = [];
  #answeredAt = 0;
  constructor(options) {
    this.connection = options.connection;
    this.isShared = options.isShared;
    this.deadlines = options.deadlines;
    this.#onEmpty = options.onEmpty;
    this.#onAnswered = options.onAnswered;
  }
  /** All on it are on their way as a whole, and the first who waits has not waited for long. */
  isRideable(now) {
    if (this.#seats.at(-1)?.hasSentAll !== true || this.#seats.length >= seatsMax) return false;
    if (isLost(this.connection) || isInTransaction(this.connection)) return false;
    return now - (this.#first?.waitsSince ?? now) < rideableMs;
  }
  board() {
    const seat = new Seat(this, { isRide: this.#seats.length > 0 });
    this.#seats.push(seat);
    return seat;
  }
  hasOthersBefore(seat) {
    return this.#first !== seat;
  }
  /** One that is a packet, and was sent at that moment, has its answers. */
  answered({ sentAt }) {
    const now = performance.now();
    this.#onAnswered(now - Math.max(sentAt, this.#answeredAt));
    this.#answeredAt = now;
  }
  /** Whose answers come next. */
  get #first() {
    return this.#seats.find(({ waitsSince }) => waitsSince !== void 0);
  }
  async remove(seat) {
    this.#seats.splice(this.#seats.indexOf(seat), 1);
    if (this.#seats.length === 0) await this.#onEmpty();
  }
};
var Seat = class {
  connection;
  /** Whether others were in front when it was taken. */
  isRide;
  #line;
  #sentAt;
  #hasSentAll = false;
  #tripsUnderWay = 0;
  #hasLeft = false;
  /** It gave up before it had sent all, and nobody will end its transaction. */
  #isUnfinished = false;
  #giveUp;
  constructor(line, { isRide }) {
    this.connection = line.connection;
    this.isRide = isRide;
    this.#line = line;
  }
  /** Whether others may come behind it, once it has sent all. */
  get mayBeShared() {
    return this.#line.isShared;
  }
  /** Whether others come behind it: its transaction is one packet, and sends nothing more, whatever becomes of it. */
  get hasSentAll() {
    return this.#hasSentAll;
  }
  /** Since when it has waited for answers, by `performance.now()`; undefined while it waits for none. */
  get waitsSince() {
    return this.#tripsUnderWay > 0 ? this.#sentAt : void 0;
  }
  /** No less time for the answers than until it is known who is in front: when it is over the connection is lost for all on it. */
  get answerMsMin() {
    return this.isRide ? 4 * rideMsMax : 0;
  }
  get expiresAt() {
    return (this.#sentAt ?? Number.POSITIVE_INFINITY) + rideMsMax;
  }
  /**
   * Something is on its way.
   * @param options.isAll whether it is all of the transaction, and ends it whatever becomes of it
   * @param options.giveUp called when those in front take too long
   */
  sent({ isAll, giveUp }) {
    const isFirstTrip = this.#sentAt === void 0;
    this.#sentAt ??= performance.now();
    this.#hasSentAll = isAll;
    this.#tripsUnderWay += 1;
    if (!this.isRide || !isFirstTrip) return;
    this.#giveUp = giveUp;
    this.#line.deadlines.add(this);
  }
  /** What was sent at one time has been answered, or never will be. */
  answered() {
    this.#tripsUnderWay -= 1;
    if (this.#hasSentAll && this.#sentAt !== void 0) this.#line.answered({ sentAt: this.#sentAt });
    if (this.isRide) this.#line.deadlines.remove(this);
    if (this.#hasLeft && this.#tripsUnderWay === 0) void this.#remove();
  }
  expire() {
    this.#line.deadlines.remove(this);
    setImmediate(() => {
      if (this.#tripsUnderWay === 0 || !this.#line.hasOthersBefore(this)) return;
      this.#isUnfinished = !this.#hasSentAll;
      this.#giveUp?.(new RideLost());
    });
  }
  /** The transaction is over. Whoever gave up leaves before the answers, and the connection waits for them. */
  async leave() {
    this.#hasLeft = true;
    if (this.#tripsUnderWay === 0) await this.#remove();
    else if (!this.#hasSentAll) this.#isUnfinished = true;
  }
  async #remove() {
    if (this.#isUnfinished) discard(this.connection, new RideLost());
    await this.#line.remove(this);
  }
};
function discard(connection, error) {
  connection.__knex__disposed ??= error;
  connection.connection.stream.destroy();
}
function isInTransaction(connection) {
  return connection.getTransactionStatus() !== "I";
}
function isLost(connection) {
  return connection.__knex__disposed !== void 0 || connection.connection.stream.destroyed;
}

// src/database/lines.ts
import { setTimeout as sleep } from "timers/promises";
var shareOfLast = 1 / 8;
var pauseMs = 5e3;
var Lines = class {
  #pool;
  #turns;
  #deadlines;
  #acquireMs;
  #sharesLines;
  #lines = [];
  /** How long it usually takes until a read that is one packet has its answers, once those in front have theirs. */
  #usualMs = 0;
  #triesAgainAt;
  constructor(options) {
    this.#pool = options.pool;
    this.#turns = options.turns;
    this.#deadlines = options.deadlines;
    this.#acquireMs = options.acquireMs;
    this.#sharesLines = options.sharesLines;
  }
  /**
   * A place for a transaction, which leaves it when it is over.
   * @param options.mayRide whether others may be in front on the same connection
   * @param options.leftMs how long whoever asks still waits; told nothing, as long as is usual
   * @throws DatabaseAway when no connection could be had
   */
  async board(options) {
    const { mayRide, leftMs = () => this.#acquireMs } = options;
    if (mayRide && !this.#areOthersWaiting && leftMs() > 10 * rideMsMax) {
      const now = performance.now();
      const line = this.#areReadsShort(now) ? this.#lines.find((one) => one.isRideable(now)) : void 0;
      if (line !== void 0) return line.board();
    }
    await this.#turns.begin();
    try {
      return this.#open(await this.#acquire(leftMs())).board();
    } catch (error) {
      this.#turns.end();
      throw new DatabaseAway(error);
    }
  }
  /** For a turn, or for a connection: nobody overtakes them. */
  get #areOthersWaiting() {
    return this.#turns.waiting > 0 || (this.#pool.pool?.numPendingAcquires() ?? 0) > 0;
  }
  #areReadsShort(now) {
    if (this.#usualMs < rideableMs) {
      this.#triesAgainAt = void 0;
      return true;
    }
    this.#triesAgainAt ??= now + pauseMs;
    if (now < this.#triesAgainAt) return false;
    this.#usualMs = 0;
    return true;
  }
  #open(connection) {
    const line = new Line({
      connection,
      isShared: this.#sharesLines,
      deadlines: this.#deadlines,
      onAnswered: (ms) => {
        this.#usualMs += (ms - this.#usualMs) * shareOfLast;
      },
      onEmpty: async () => {
        if (this.#sharesLines) this.#lines.splice(this.#lines.indexOf(line), 1);
        try {
          if (isInTransaction(connection)) discard(connection, new Error("Still in a transaction"));
          if (isLost(connection)) discard(connection, new Error("Lost"));
          await this.#pool.releaseConnection(connection);
        } finally {
          this.#turns.end();
        }
      }
    });
    if (this.#sharesLines) this.#lines.push(line);
    return line;
  }
  async #acquire(waitMsMax3) {
    if (waitMsMax3 <= 0) throw new Error("There is no time left for a transaction");
    const acquiring = this.#pool.acquireConnection();
    if (waitMsMax3 >= this.#acquireMs) return acquiring;
    const connection = await Promise.race([acquiring, sleep(waitMsMax3, void 0, { ref: false })]);
    if (connection !== void 0) return connection;
    acquiring.then((unwanted) => this.#pool.releaseConnection(unwanted)).catch(() => {
    });
    throw new Error("No connection came in the time that was left");
  }
};

// src/database/to-moment.ts
import pg4 from "pg";
var readAsDate = pg4.types.getTypeParser(pg4.types.builtins.TIMESTAMPTZ);
function toMoment(text3) {
  if (text3 !== lastText) {
    lastMoment = spell(text3);
    lastText = text3;
  }
  return lastMoment;
}
var lastText = "";
var lastMoment = "";
function spell(text3) {
  const isUtc = text3.endsWith("+00") && text3[10] === " ";
  if (!isUtc) return (text3[10] === "T" ? new Date(text3) : readAsDate(text3)).toISOString();
  const milliseconds = text3[19] === "." ? text3.slice(20, -3).slice(0, 3).padEnd(3, "0") : "000";
  return `${text3.slice(0, 10)}T${text3.slice(11, 19)}.${milliseconds}Z`;
}

// src/database/trip.ts
import pg5 from "pg";
var givenUpMsMax = 5e3;
var readNothing = () => ({});
var preparedOn = /* @__PURE__ */ new WeakMap();
var DriverQuery = pg5.Query;
var Trip = class extends DriverQuery {
  #expiresAt;
  #deadlines;
  #passengers;
  #answers = [];
  #onFailure;
  #onEnd;
  #described = [];
  #wire;
  #readRow;
  #rows = [];
  #unreadable;
  /** Of each statement that was prepared when it was written. */
  #known = [];
  #closed = [];
  #isSettled = false;
  /**
   * @param options.onFailure told at once, before anybody hears of the answers that came in the same packet
   * @param options.onEnd told before anybody hears of their answers that all have come, or that none will come any more
   * @param options.answerMsMax for all answers together; then the connection is lost
   */
  constructor(options) {
    super("trip");
    this.#passengers = options.passengers;
    this.#onFailure = options.onFailure;
    this.#onEnd = options.onEnd;
    this.#expiresAt = performance.now() + options.answerMsMax;
    this.#deadlines = options.deadlines;
  }
  get expiresAt() {
    return this.#expiresAt;
  }
  /** Writes everything. Called by the driver. */
  submit(connection) {
    const wire = connection;
    this.#wire = wire;
    wire.stream.cork();
    for (const { statement } of this.#passengers) this.#known.push(this.#write(wire, statement));
    wire.sync();
    wire.stream.uncork();
    this.#deadlines.add(this);
    this.#awaitNext();
    return null;
  }
  /** @returns the reader of its rows where it is prepared: what others do to that meanwhile does not change what it gives */
  #write(wire, { name = "", text: text3, values = [] }) {
    const known = name === "" ? void 0 : preparedOn.get(wire)?.get(name);
    if (known === void 0) {
      if (name !== "") {
        wire.close({ type: "S", name });
        this.#closed.push(name);
      }
      wire.parse({ name, text: text3 });
    }
    wire.bind({ statement: name, values: values.map(wireValue) });
    if (known === void 0) wire.describe({ type: "P", name: "" });
    wire.execute({});
    return known;
  }
  /** The columns of the next statement are known, or will be described. */
  #awaitNext() {
    this.#readRow = this.#known[this.#answers.length];
    this.#rows = [];
  }
  handleRowDescription({
    fields
  }) {
    try {
      this.#readRow = rowReaderOf(fields);
    } catch (error) {
      this.#unreadable ??= error;
    }
  }
  handleDataRow({ fields }) {
    try {
      this.#rows.push((this.#readRow ?? readNothing)(fields));
    } catch (error) {
      this.#unreadable ??= error;
    }
  }
  handleCommandComplete({ text: text3 }) {
    const { name } = this.#passengers[this.#answers.length]?.statement ?? {};
    const wasKnown = this.#known[this.#answers.length] !== void 0;
    if (name !== void 0 && !wasKnown) this.#described.push({ name, readRow: this.#readRow ?? readNothing });
    this.#answers.push({ rows: this.#rows, command: text3.split(" ", 1)[0] ?? "" });
    this.#awaitNext();
  }
  /** Whatever still comes on this connection nobody can tell apart from what is asked next. */
  expire() {
    this.#deadlines.remove(this);
    setImmediate(() => {
      if (this.#isSettled) return;
      this.#wire?.stream.destroy();
      this.#settle(new Error("timeout exceeded when waiting for the answers of PostgreSQL"));
    });
  }
  /** Those that were answered before have their answers; the one that failed, and those behind it, have the failure. */
  handleError(error) {
    if (this.#wire !== void 0 && isPlanOutdated(error)) preparedOn.delete(this.#wire);
    for (const name of this.#closed) this.#preparedNames?.delete(name);
    this.#settle(error);
  }
  handleReadyForQuery() {
    if (this.#unreadable === void 0) this.#remember();
    this.#settle(null);
  }
  get #preparedNames() {
    return this.#wire === void 0 ? void 0 : preparedOn.get(this.#wire);
  }
  #remember() {
    if (this.#wire === void 0) return;
    const prepared = preparedOn.get(this.#wire) ?? /* @__PURE__ */ new Map();
    preparedOn.set(this.#wire, prepared);
    for (const { name, readRow } of this.#described) prepared.set(name, readRow);
  }
  /** Fails all who wait, who then may ask elsewhere. What comes for them is read, and thrown away, if it comes at all soon. */
  giveUp(error) {
    this.#expiresAt = performance.now() + givenUpMsMax;
    this.#onFailure(error);
    for (const { reject } of this.#passengers) reject(error);
  }
  #settle(refusal2) {
    this.#deadlines.remove(this);
    if (this.#isSettled) return;
    this.#isSettled = true;
    this.#onEnd();
    const failure = this.#unreadable ?? refusal2;
    if (this.#unreadable !== void 0) this.#answers.length = 0;
    if (failure !== null) this.#onFailure(failure);
    for (const [index, { resolve: resolve4, reject }] of this.#passengers.entries()) {
      const answer = this.#answers[index];
      if (answer === void 0) reject(failure);
      else resolve4(answer);
    }
  }
};
var leaveText = pg5.types.getTypeParser(pg5.types.builtins.TEXT, "text");
function rowReaderOf(fields) {
  const parsers = fields.map(({ dataTypeID }) => pg5.types.getTypeParser(dataTypeID, "text"));
  const members = fields.map(({ name }, index) => {
    const field = `fields[${index}]`;
    const value = parsers[index] === leaveText ? field : `${field} === null ? null : parsers[${index}](${field})`;
    return `${JSON.stringify(name)}: ${value}`;
  });
  return new Function("parsers", `return (fields) => ({ ${members.join(", ")} })`)(parsers);
}
function wireValue(value) {
  if (value === null || typeof value === "string" || Buffer.isBuffer(value)) return value;
  if (value instanceof Date) return value.toISOString();
  if (typeof value !== "object") return String(value);
  return `{${value.map((item) => `"${item.replace(/[\\"]/g, "\\$&")}"`).join()}}`;
}

// src/database/transaction.ts
var usualAnswerMsMax = 5e3;
var begin = { name: "BEGIN", text: "BEGIN" };
var beginReadOnly = { name: "BEGIN READ ONLY", text: "BEGIN READ ONLY" };
var commit = { name: "COMMIT", text: "COMMIT" };
var rollback = { text: "ROLLBACK" };
var onlyRead = { name: "ONLY READ", text: "select set_config('transaction_read_only', 'on', true)" };
var askPosition = { text: "select pg_current_wal_insert_lsn() as position" };
var Transaction = class {
  #seat;
  #shared;
  #readOnly;
  #kept = [];
  #leftMs;
  #boarding;
  #answerMsMax;
  #sent = 0;
  #hasDeparted = false;
  #isOnePacket = false;
  #isRolledBack = false;
  #isOver = false;
  #committed;
  #failure;
  constructor(options) {
    this.#seat = options.seat;
    this.#shared = options.shared;
    this.#readOnly = options.readOnly;
    this.#leftMs = options.leftMs;
  }
  /** Whether PostgreSQL, or the connection, failed any of its statements, or others kept it from the answers. */
  get hasFailed() {
    return this.#failure !== void 0;
  }
  /** Whether a statement was sent: what is sent from now on is carried out behind it, or not at all. */
  get isUnderWay() {
    return this.#sent > 0;
  }
  /**
   * Sends a statement.
   * @param options.isLastRead where the transaction only reads, nothing comes after it and COMMIT travels with it; where it
   *   also writes this says nothing
   * @param options.answerMsMax how long to wait for the answer, where that is less than for others; the connection is then lost
   * @throws what PostgreSQL says of it, or said of an earlier one: the transaction can then only be rolled back
   */
  async send(statement, { isLastRead = false, answerMsMax: answerMsMax3 } = {}) {
    this.#requireSound();
    if (this.#isRolledBack) throw transactionOver();
    if (this.#committed !== void 0) throw new Error("The last read of this transaction was sent already.");
    if (this.#sent === 0) this.#board(this.#readOnly ? beginReadOnly : begin).catch(() => {
    });
    const answered = this.#board(statement);
    this.#answerMsMax ??= answerMsMax3;
    if (this.#readOnly && isLastRead) void this.#boardCommit();
    return answered;
  }
  /**
   * Keeps a statement for the COMMIT, to travel with it behind those that are kept already. The COMMIT fails as the first
   * of them does that fails.
   */
  sendWithCommit(statement) {
    this.#kept.push(statement);
  }
  /**
   * Commits.
   * @param options.asksPosition asks in the packet of the COMMIT where the log ends behind it
   * @returns the answer to that, which the transaction does not depend on: it may fail when all is committed
   * @throws the failure of any statement before, also of one that nobody listened to
   */
  async commit({ asksPosition = false } = {}) {
    this.#requireSound();
    const kept2 = [];
    for (const statement of this.#kept) {
      const sentBefore = this.#sent;
      const answered = statement();
      answered.catch(() => {
      });
      kept2.push(answered);
      if (this.#sent === sentBefore) await answered;
    }
    if (this.#sent === 0) return { position: void 0 };
    const committed = this.#committed ?? this.#boardCommit();
    const position = asksPosition ? this.#askPosition() : void 0;
    position?.catch(() => {
    });
    for (const answered of kept2) await answered;
    const { command } = await committed;
    if (command !== "COMMIT") throw this.#failure?.error ?? new Error(`PostgreSQL answered COMMIT with ${command}`);
    return { position };
  }
  /** Rolls back what was begun. @throws what keeps the connection in the transaction: it is good for nobody any more */
  async rollback() {
    this.#isRolledBack = true;
    const isOver = await this.#committed?.then(
      () => true,
      () => false
    );
    if (this.#sent > 0 && isOver !== true && !this.#isOnePacket) await this.#board(rollback);
  }
  /** From now on nothing is sent any more: the connection belongs to others. */
  end() {
    this.#isOver = true;
  }
  #boardCommit() {
    const committed = this.#board(commit);
    committed.catch(() => {
    });
    this.#committed = committed;
    return committed;
  }
  /**
   * Where the log ends. What was inserted, not what was flushed: behind a COMMIT that does not wait for the disk its record is
   * in the one and not yet in the other.
   */
  async #askPosition() {
    const { rows } = await this.#board(askPosition);
    return rows[0].position;
  }
  /** @throws the failure of a statement, whichever */
  #requireSound() {
    if (this.#failure !== void 0) throw this.#failure.error;
  }
  /** The statement leaves at the end of this turn, with all others that are boarded until then. */
  #board({ name, ...unnamed }) {
    const statement = name !== void 0 && this.#shared.preparesStatements ? { name, ...unnamed } : unnamed;
    this.#sent += 1;
    this.#shared.onStatement?.(statement.text);
    if (this.#boarding === void 0) {
      this.#boarding = [];
      process.nextTick(() => this.#depart());
    }
    const boarding = this.#boarding;
    return new Promise((resolve4, reject) => boarding.push({ statement, resolve: resolve4, reject }));
  }
  #depart() {
    const boarded = this.#boarding ?? [];
    const answerMsMax3 = Math.max(this.#patienceMs(), this.#seat.answerMsMin);
    this.#boarding = void 0;
    this.#answerMsMax = void 0;
    if (this.#isOver) {
      for (const { reject } of boarded) reject(transactionOver());
      return;
    }
    const onFailure = (error) => {
      this.#failure ??= { error };
    };
    const { deadlines } = this.#shared;
    const whole = this.#readOnly && this.#seat.mayBeShared && !this.#hasDeparted ? withoutFrame(boarded) : void 0;
    this.#hasDeparted = true;
    if (whole !== void 0) this.#isOnePacket = true;
    const passengers = whole ?? boarded;
    const trip = new Trip({ passengers, onFailure, onEnd: () => this.#seat.answered(), answerMsMax: answerMsMax3, deadlines });
    this.#seat.connection.query(trip);
    this.#seat.sent({ isAll: this.#isOnePacket, giveUp: (error) => trip.giveUp(error) });
  }
  /** How long to wait for all that is boarded. */
  #patienceMs() {
    const leftMs = this.#leftMs?.();
    if (leftMs === void 0) return this.#answerMsMax ?? usualAnswerMsMax;
    return Math.min(leftMs, this.#answerMsMax ?? leftMs);
  }
};
var transactionOver = () => new Error("The transaction is over.");
function withoutFrame(boarded) {
  const [begun, ...others2] = boarded;
  const [last, committed] = others2.splice(-2);
  if (begun === void 0 || last === void 0 || committed?.statement.text !== commit.text) return void 0;
  const statement = begun.statement.name === void 0 ? { text: onlyRead.text } : onlyRead;
  return [
    { ...begun, statement },
    ...others2,
    {
      statement: last.statement,
      resolve(answer) {
        last.resolve(answer);
        committed.resolve({ rows: [], command: commit.text });
      },
      reject(error) {
        last.reject(error);
        committed.reject(error);
      }
    }
  ];
}

// src/database/turns.ts
var Turns = class {
  #atOnce;
  #patienceMs;
  // Neither a set nor a timer for each: what goes in and out of them all the time would be freed late (decision 0028).
  #waiting = [];
  #timer;
  #underWay = 0;
  constructor({ atOnce, patienceMs: patienceMs2 }) {
    this.#atOnce = atOnce;
    this.#patienceMs = patienceMs2;
  }
  get waiting() {
    return this.#waiting.length;
  }
  /** Resolves when it is one's turn, in the order of the calls; whoever has had it calls {@link end} once. */
  async begin() {
    if (this.#underWay < this.#atOnce) {
      this.#underWay += 1;
      return;
    }
    await new Promise((begin2) => {
      this.#waiting.push({ begin: begin2, since: performance.now() });
      this.#timer ??= setTimeout(() => this.#letPatientBegin(), this.#patienceMs);
    });
  }
  end() {
    this.#underWay -= 1;
    if (this.#underWay < this.#atOnce) this.#letNextBegin();
  }
  #letNextBegin() {
    const next = this.#waiting.shift();
    if (next === void 0) return;
    this.#underWay += 1;
    next.begin();
  }
  /** Looks again when the next of those who wait by then has waited long enough. */
  #letPatientBegin() {
    this.#timer = void 0;
    const now = performance.now();
    for (; ; ) {
      const [next] = this.#waiting;
      if (next === void 0) return;
      const leftMs = next.since + this.#patienceMs - now;
      if (leftMs > 0) {
        this.#timer = setTimeout(() => this.#letPatientBegin(), leftMs);
        return;
      }
      this.#letNextBegin();
    }
  }
};

// src/database/database.ts
pg6.types.setTypeParser(pg6.types.builtins.DATE, (text3) => text3);
pg6.types.setTypeParser(pg6.types.builtins.TIMESTAMPTZ, toMoment);
var turnMsMax = 25;
var ridesMax = 2;
function createDatabase(options) {
  const { connectMs, acquireMs } = options.patience ?? { connectMs: 2e3, acquireMs: 2e3 };
  const { elapsedMs = () => performance.now() } = options;
  const knex = knexModule({
    client: "pg",
    // Or knex asks for it on the first connection, with no limit to how long it waits; it needs it for nothing that is used here.
    version: "15",
    connection: {
      connectionString: options.connectionString,
      application_name: "centavo-server",
      connectionTimeoutMillis: connectMs,
      keepAlive: true,
      pipeline: true
    },
    pool: { min: 0, max: options.poolMax, idleTimeoutMillis: 3e4 },
    acquireConnectionTimeout: acquireMs,
    // knex would print to the console, past the log and its allow-list; what fails is thrown anyway.
    log: { warn: () => {
    }, error: () => {
    }, deprecate: () => {
    }, debug: () => {
    } }
  });
  const client = knex.client;
  const deadlines = new Deadlines();
  const shared = { onStatement: options.onStatement, preparesStatements: true, deadlines };
  const turns = new Turns({ atOnce: options.usualMax ?? Number.POSITIVE_INFINITY, patienceMs: turnMsMax });
  const sharesLines = options.usualMax !== void 0;
  const lines = new Lines({ pool: client, turns, deadlines, acquireMs, sharesLines });
  async function attempt({ readOnly, onPosition }, work, { leftMs, mayRide }) {
    const seat = await lines.board({ mayRide: readOnly && mayRide, leftMs });
    const { connection } = seat;
    const tx = new Transaction({ seat, readOnly, shared, leftMs });
    let isCommitting = false;
    try {
      const result = await work(tx);
      if (!readOnly && leftMs !== void 0 && leftMs() <= 0)
        throw new DatabaseAway(new Error("No time left to commit"));
      isCommitting = true;
      const { position } = await tx.commit({ asksPosition: onPosition !== void 0 });
      await position?.then(onPosition, (error) => discard(connection, error));
      return result;
    } catch (error) {
      if (error instanceof RideLost) throw error;
      if (seat.isRide && readOnly && tx.hasFailed && isOfOthersInFront(error)) {
        discard(connection, error);
        throw new RideLost(error);
      }
      if (!readOnly && isWithoutWrites(error)) {
        discard(connection, error);
        throw new DatabaseAway(error);
      }
      if (!isConnectionFailure(error) || seat.isRide && !tx.hasFailed) {
        await tx.rollback().catch((failure) => discard(connection, failure));
        throw error;
      }
      discard(connection, error);
      throw isCommitting && !readOnly ? new CommitOutcomeUnknown(error) : error;
    } finally {
      tx.end();
      await seat.leave();
    }
  }
  async function run3(options2, work, leftMs, ridesLeft = ridesMax) {
    try {
      return await attempt(options2, work, { leftMs, mayRide: ridesLeft > 0 });
    } catch (error) {
      if (error instanceof RideLost) return run3(options2, work, leftMs, ridesLeft - 1);
      if (!isPreparedStatementLost(error)) throw error;
      shared.preparesStatements = false;
      return attempt(options2, work, { leftMs, mayRide: false });
    }
  }
  return {
    transaction: (options2, work) => run3(options2, work),
    within(msMax) {
      let takenMs = 0;
      return {
        async transaction(transactionOptions, work) {
          const beganAt = elapsedMs() - takenMs;
          try {
            return await run3(transactionOptions, work, () => msMax - (elapsedMs() - beganAt));
          } finally {
            takenMs = elapsedMs() - beganAt;
          }
        }
      };
    },
    poolUse() {
      const { pool } = client;
      return {
        used: pool?.numUsed() ?? 0,
        idle: pool?.numFree() ?? 0,
        waiting: turns.waiting + (pool?.numPendingAcquires() ?? 0)
      };
    },
    close: () => knex.destroy()
  };
}

// src/commands/with-database.ts
async function withDatabase(connectionString, act) {
  const database = createDatabase({ connectionString, poolMax: 1 });
  try {
    return await act(database);
  } finally {
    await database.close();
  }
}

// src/commands/with-operator-database.ts
async function withOperatorDatabase(options, command) {
  try {
    const config = readConfig(options.env, options.defaultDataDir);
    const opened = await openDatabase({ config, migrations: options.migrations, say: options.say });
    try {
      return await withDatabase(opened.connectionString, (database) => command(database, config));
    } finally {
      await opened.close();
    }
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}
`);
    return 1;
  }
}

// src/commands/check.ts
async function checkCommand(place) {
  const say = (line) => process.stdout.write(`${line}
`);
  const remark = (line) => process.stderr.write(`${line}
`);
  return withOperatorDatabase({ ...place, say: remark }, async (database) => {
    const { cashboxCount, transferCount, contradictions } = await database.transaction({ readOnly: true }, checkBooks);
    for (const contradiction of contradictions) say(contradiction);
    say(`Checked ${cashboxCount} balances and ${transferCount} transfers: ${contradictions.length} contradictions.`);
    return contradictions.length === 0 ? 0 : 1;
  });
}

// src/commands/create-legacy-key.ts
import { randomBytes as randomBytes3 } from "crypto";
import { parseArgs } from "util";

// ../../packages/contracts/src/accounts/account-records.ts
import * as z3 from "zod";

// ../../packages/contracts/src/values/fields.ts
import * as z2 from "zod";

// ../../packages/contracts/src/values/currency.ts
var exponents = {
  BHD: 3,
  BIF: 0,
  CLF: 4,
  CLP: 0,
  DJF: 0,
  GNF: 0,
  IQD: 3,
  ISK: 0,
  JOD: 3,
  JPY: 0,
  KMF: 0,
  KRW: 0,
  KWD: 3,
  LYD: 3,
  OMR: 3,
  PYG: 0,
  RWF: 0,
  TND: 3,
  UGX: 0,
  UYI: 0,
  UYW: 4,
  VND: 0,
  VUV: 0,
  XAF: 0,
  XOF: 0,
  XPF: 0
};
var currencyCodes = new Set(
  "AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CLF CLP CNY COP COU CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD USN UYI UYU UYW UZS VED VES VND VUV WST XAF XCD XCG XOF XPF YER ZAR ZMW ZWG".split(" ")
);
var currencyExponentMax = 4;
function currencyExponent(currencyCode2) {
  if (!currencyCodes.has(currencyCode2)) throw new RangeError(`Unknown currency ${currencyCode2}`);
  return exponents[currencyCode2] ?? 2;
}

// ../../packages/contracts/src/values/amount-decimal.ts
var amountPattern = /^(0|[1-9]\d{0,14})(\.\d+)?$/;
var signedAmountPattern = /^-?(0|[1-9]\d{0,14})(\.\d+)?$/;
function decimalsOf(amountDecimal) {
  const point = amountDecimal.indexOf(".");
  return point === -1 ? 0 : amountDecimal.length - point - 1;
}
function fitsCurrency(amountDecimal, currencyCode2) {
  return decimalsOf(amountDecimal) <= currencyExponent(currencyCode2);
}
function isZeroAmount(amountDecimal) {
  return /^-?0*(\.0*)?$/.test(amountDecimal);
}
function canonicalAmount(amountDecimal) {
  const short = amountDecimal.includes(".") ? amountDecimal.replace(/\.?0+$/, "") : amountDecimal;
  return short === "-0" ? "0" : short;
}
function formatAmount(amountDecimal, currencyCode2) {
  const exponent = currencyExponent(currencyCode2);
  const point = amountDecimal.indexOf(".");
  const wholeEnd = point === -1 ? amountDecimal.length : point;
  const decimalsEnd = wholeEnd + 1 + exponent;
  for (let index = decimalsEnd; index < amountDecimal.length; index += 1) {
    if (amountDecimal[index] !== "0") throw new RangeError(`An amount has more decimals than ${currencyCode2} allows`);
  }
  const whole = amountDecimal.slice(0, wholeEnd);
  const decimals = amountDecimal.slice(wholeEnd + 1, decimalsEnd).padEnd(exponent, "0");
  const formatted = exponent === 0 ? whole : `${whole}.${decimals}`;
  return formatted.startsWith("-") && isZeroAmount(formatted) ? formatted.slice(1) : formatted;
}
function toMinorUnits(amountDecimal, currencyCode2) {
  if (typeof amountDecimal !== "string") throw new TypeError('An amount must be a string such as "12.50"');
  if (!signedAmountPattern.test(amountDecimal)) throw new RangeError("Not a decimal amount");
  return BigInt(formatAmount(amountDecimal, currencyCode2).replace(".", ""));
}
function fromMinorUnits(minorUnits, currencyCode2) {
  const exponent = currencyExponent(currencyCode2);
  const sign = minorUnits < 0n ? "-" : "";
  const digits = String(minorUnits < 0n ? -minorUnits : minorUnits).padStart(exponent + 1, "0");
  if (exponent === 0) return sign + digits;
  return `${sign}${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`;
}

// ../../packages/contracts/src/values/calendar-date.ts
var datePattern = /^(\d{4})-(\d{2})-(\d{2})$/;
var earliestDate = "1900-01-01";
var daysAheadMax = 366;
function isCalendarDate(text3) {
  const match = datePattern.exec(text3);
  if (match === null) return false;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const date = /* @__PURE__ */ new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}
function addDays(date, days) {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * 864e5).toISOString().slice(0, 10);
}

// ../../packages/contracts/src/values/fields.ts
function refuse(context, code, message) {
  context.addIssue({ code: "custom", message, params: { code } });
}
var uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
function isUuid(text3) {
  return uuidPattern.test(text3);
}
var uuidField = z2.string().regex(uuidPattern, "Send a UUID.").meta({
  format: "uuid",
  pattern: "^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$"
}).transform((text3) => text3.toLowerCase());
var categoryIdPattern = /^[A-Za-z0-9_-]{1,100}$/;
var categoryIdField = z2.string().regex(categoryIdPattern, "Send a category id as GET /categories gives it.");
function isCategoryId(text3) {
  return categoryIdPattern.test(text3);
}
var controlCharacter = new RegExp("\\p{Cc}", "u");
var controlCharacterButNewlineAndTab = new RegExp("(?![\\n\\t])\\p{Cc}", "u");
function textField(options) {
  const forbidden = options.multiline ? controlCharacterButNewlineAndTab : controlCharacter;
  const told = {
    maxLength: options.lengthMax,
    pattern: options.multiline ? "^[^\\u0000-\\u0008\\u000B-\\u001F\\u007F-\\u009F]*$" : "^[^\\u0000-\\u001F\\u007F-\\u009F]*$"
  };
  return z2.string().meta(told).transform((text3, context) => {
    const trimmed = text3.trim();
    if (!trimmed.isWellFormed() || forbidden.test(trimmed)) {
      refuse(context, "INVALID_FORMAT", "Remove control characters and broken surrogate pairs.");
    }
    if ([...trimmed].length > options.lengthMax) {
      refuse(context, "TOO_LONG", `Send at most ${options.lengthMax} characters.`);
    }
    return trimmed;
  });
}
var nameField = textField({ lengthMax: 100, multiline: false }).transform((text3, context) => {
  if (text3 === "") refuse(context, "REQUIRED", "Send a name that is not empty.");
  return text3;
}).meta({ minLength: 1 });
function optionalText(options) {
  return textField(options).transform((text3) => text3 === "" ? null : text3).nullish();
}
var descriptionField = optionalText({ lengthMax: 500, multiline: true });
var merchantNameField = optionalText({ lengthMax: 200, multiline: false });
var unsignedAmount = `(0|[1-9]\\d{0,14})(\\.\\d{1,${currencyExponentMax}})?`;
var amountField = z2.string().meta({
  pattern: `^(?!0(\\.0+)?$)${unsignedAmount}$`,
  description: "A decimal string in whole units, greater than zero, with at most the decimals of its currency.",
  examples: ["12.50"]
}).check((check) => checkAmount(check, { pattern: amountPattern, zeroAllowed: false }));
var plannedAmountField = z2.string().meta({
  pattern: `^${unsignedAmount}$`,
  description: "A decimal string in whole units, zero or more, with at most the decimals of its currency.",
  examples: ["250.00"]
}).check((check) => checkAmount(check, { pattern: amountPattern, zeroAllowed: true }));
var signedAmountField = z2.string().meta({
  pattern: `^-?${unsignedAmount}$`,
  description: "A decimal string in whole units, negative or not, with at most the decimals of its currency.",
  examples: ["-80.00"]
}).check((check) => checkAmount(check, { pattern: signedAmountPattern, zeroAllowed: true }));
function checkAmount(check, rule) {
  const fail = (code, message) => check.issues.push({ code: "custom", input: check.value, message, params: { code } });
  if (!rule.pattern.test(check.value)) {
    fail(
      "INVALID_FORMAT",
      'Send a decimal string in whole units, such as "12.50": at most 15 digits before the point.'
    );
  } else if (decimalsOf(check.value) > currencyExponentMax) {
    fail("AMOUNT_PRECISION", "Send no more decimals than the currency has; amounts are never rounded.");
  } else if (!rule.zeroAllowed && isZeroAmount(check.value)) {
    fail("OUT_OF_RANGE", "Send an amount greater than zero.");
  }
}
var currencyField = z2.string().meta({ pattern: `^(${[...currencyCodes].join("|")})$`, description: "An active ISO 4217 code.", examples: ["EUR"] }).check((check) => {
  const fail = (code, message) => check.issues.push({ code: "custom", input: check.value, message, params: { code } });
  if (!/^[A-Z]{3}$/.test(check.value)) fail("INVALID_FORMAT", 'Send an ISO 4217 code in upper case, such as "EUR".');
  else if (!currencyCodes.has(check.value)) fail("UNKNOWN_CURRENCY", "This is not an active ISO 4217 currency.");
});
var dateField = z2.string().meta({
  format: "date",
  pattern: "^(19|[2-9]\\d)\\d{2}-\\d{2}-\\d{2}$",
  description: `A calendar date from ${earliestDate} on.`,
  examples: ["2026-06-28"]
}).check((check) => {
  const fail = (code, message) => check.issues.push({ code: "custom", input: check.value, message, params: { code } });
  if (!isCalendarDate(check.value)) fail("INVALID_FORMAT", "Send a real calendar date as YYYY-MM-DD.");
  else if (check.value < earliestDate) fail("OUT_OF_RANGE", `Send a date from ${earliestDate} on.`);
});
function omittable(schema) {
  return schema.nullish().transform((value) => value ?? void 0).optional();
}
var timestamp = z2.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/).meta({ format: "date-time" });
var amount = z2.string().regex(/^\d+(\.\d+)?$/).meta({ examples: ["12.50"] });
var signedAmount = z2.string().regex(/^-?\d+(\.\d+)?$/).meta({ examples: ["-80.00"] });
var calendarDate = z2.string().regex(/^\d{4}-\d{2}-\d{2}$/).meta({ format: "date" });
var currencyCode = z2.string().regex(/^[A-Z]{3}$/).meta({ examples: ["EUR"] });
function crossCheck(schema, rule) {
  return schema.refine((value) => rule.holds(value), {
    message: rule.message,
    path: rule.path ?? [],
    params: { code: rule.code },
    when: (payload) => typeof payload.value === "object" && payload.value !== null
  });
}
function areInOrder(from, to) {
  const isDate = (value) => typeof value === "string" && isCalendarDate(value);
  return !isDate(from) || !isDate(to) || from <= to;
}

// ../../packages/contracts/src/accounts/account-records.ts
var accountTypes = ["cash", "checking", "savings", "credit_card", "loan", "investment", "other"];
var recordStatuses = ["active", "archived"];
var accountRecord = z3.strictObject({
  id: z3.uuid(),
  trackerId: z3.uuid(),
  name: z3.string(),
  type: z3.enum(accountTypes),
  currencyCode,
  status: z3.enum(recordStatuses),
  eligibleCashboxCount: z3.int(),
  createdAt: timestamp,
  updatedAt: timestamp
});
var cashboxRecord = z3.strictObject({
  id: z3.uuid(),
  accountId: z3.uuid(),
  trackerId: z3.uuid(),
  name: z3.string(),
  currencyCode,
  isEligible: z3.boolean(),
  status: z3.enum(recordStatuses),
  createdAt: timestamp,
  updatedAt: timestamp
});
var accountWithCashboxesRecord = z3.strictObject({
  ...accountRecord.shape,
  cashboxes: z3.array(cashboxRecord)
});
var balanceRecord = z3.strictObject({
  accountId: z3.uuid(),
  accountName: z3.string(),
  cashboxId: z3.uuid(),
  cashboxName: z3.string(),
  currencyCode,
  balanceDecimal: signedAmount,
  asOf: timestamp
});

// ../../packages/contracts/src/accounts/account-requests.ts
import * as z4 from "zod";
var cashboxesPerAccountMax = 1e3;
var newCashbox = z4.strictObject({ name: nameField, openingBalanceDecimal: omittable(signedAmountField) });
var createAccountBody = crossCheck(
  z4.strictObject({
    name: nameField,
    type: z4.enum(accountTypes),
    currencyCode: omittable(currencyField),
    openingBalanceDecimal: omittable(signedAmountField),
    cashboxes: omittable(z4.array(newCashbox).min(1).max(cashboxesPerAccountMax))
  }),
  {
    code: "FIELD_CONFLICT",
    message: "Send the opening balance on each cashbox, or leave cashboxes out.",
    path: ["openingBalanceDecimal"],
    holds: ({ cashboxes, openingBalanceDecimal }) => cashboxes === void 0 || openingBalanceDecimal === void 0
  }
);
var createCashboxBody = newCashbox;
var updateAccountBody = z4.strictObject({ name: nameField.optional(), status: z4.enum(recordStatuses).optional() }).meta({ minProperties: 1 }).transform((body, context) => {
  if (Object.keys(body).length === 0) refuse(context, "EMPTY_PATCH", "Send at least one of name and status.");
  return body;
});
var updateCashboxBody = updateAccountBody;

// ../../packages/contracts/src/budgets/budget-records.ts
import * as z6 from "zod";

// ../../packages/contracts/src/movements/movement-record.ts
import * as z5 from "zod";
var movementTypes = ["expense", "income"];
var movementKinds = ["regular", "transfer"];
var movementRecord = z5.strictObject({
  id: z5.uuid(),
  trackerId: z5.uuid(),
  type: z5.enum(movementTypes),
  kind: z5.enum(movementKinds),
  amountDecimal: amount,
  currencyCode,
  accountId: z5.uuid(),
  cashboxId: z5.uuid(),
  categoryId: z5.string().nullable(),
  occurredOn: calendarDate,
  description: z5.string().nullable(),
  merchantName: z5.string().nullable(),
  transferGroupId: z5.uuid().nullable(),
  source: z5.strictObject({ type: z5.enum(["user", "integration_client"]), id: z5.uuid() }),
  version: z5.int(),
  createdAt: timestamp,
  updatedAt: timestamp
});

// ../../packages/contracts/src/budgets/budget-records.ts
var budgetModes = ["tracking", "planning"];
var budgetStatuses = ["upcoming", "active", "closed"];
var budgetRecord = z6.strictObject({
  id: z6.uuid(),
  trackerId: z6.uuid(),
  name: z6.string(),
  mode: z6.enum(budgetModes),
  status: z6.enum(budgetStatuses),
  currencyCode,
  periodStart: calendarDate,
  periodEnd: calendarDate,
  lineCount: z6.int(),
  createdAt: timestamp,
  updatedAt: timestamp
});
var budgetLineRecord = z6.strictObject({
  id: z6.uuid(),
  budgetId: z6.uuid(),
  categoryId: z6.string(),
  type: z6.enum(movementTypes),
  plannedDecimal: amount,
  actualDecimal: amount.nullable(),
  remainingDecimal: signedAmount.nullable(),
  note: z6.string().nullable(),
  createdAt: timestamp
});
var budgetTotals = z6.strictObject({
  plannedDecimal: amount,
  actualDecimal: amount.nullable(),
  remainingDecimal: signedAmount.nullable(),
  unplannedDecimal: amount.nullable()
});
var ratio = z6.string().regex(/^\d+\.\d{4}$/);
var budgetDetailRecord = z6.strictObject({
  ...budgetRecord.shape,
  lines: z6.array(budgetLineRecord),
  summary: z6.strictObject({ expense: budgetTotals, income: budgetTotals }),
  progress: z6.strictObject({
    daysTotal: z6.int(),
    daysElapsed: z6.int(),
    elapsedRatio: ratio,
    expenseRatio: ratio.nullable()
  })
});

// ../../packages/contracts/src/budgets/budget-requests.ts
import * as z7 from "zod";
var budgetLinesMax = 200;
var addBudgetLineBody = z7.strictObject({
  categoryId: categoryIdField,
  plannedDecimal: plannedAmountField,
  type: omittable(z7.enum(movementTypes)),
  note: omittable(optionalText({ lengthMax: 500, multiline: true }))
});
var createBudgetBody = crossCheck(
  z7.strictObject({
    name: nameField,
    mode: z7.enum(budgetModes),
    periodStart: dateField,
    periodEnd: dateField,
    currencyCode: omittable(currencyField),
    lines: omittable(z7.array(addBudgetLineBody).max(budgetLinesMax))
  }),
  {
    code: "OUT_OF_RANGE",
    message: "Send a periodEnd that is not before periodStart.",
    path: ["periodEnd"],
    holds: ({ periodStart, periodEnd }) => areInOrder(periodStart, periodEnd)
  }
);
var budgetFilters = z7.strictObject({
  mode: z7.enum(budgetModes).optional(),
  status: z7.enum(budgetStatuses).optional()
});

// ../../packages/contracts/src/call-contract.ts
function call(declaration) {
  const contract = {
    base: "/v1/financial",
    caller: "principal",
    scopes: [],
    tracker: "required",
    role: null,
    idempotency: "ignored",
    ifMatch: "ignored",
    stepUp: false,
    status: 200,
    errors: [],
    ...declaration
  };
  return contract;
}
function errorCodesOf(call2) {
  const codes = /* @__PURE__ */ new Set([
    "VALIDATION_ERROR",
    // A body is read before anybody asks whether the call takes one.
    "PAYLOAD_TOO_LARGE",
    "RATE_LIMITED",
    "INTERNAL_ERROR",
    "SERVICE_UNAVAILABLE"
  ]);
  if (call2.caller !== "anyone") {
    for (const code of ["UNAUTHENTICATED", "CREDENTIAL_INVALID", "CREDENTIAL_EXPIRED", "SESSION_INACTIVE"]) {
      codes.add(code);
    }
    if (call2.base === "/v1/financial") codes.add("CREDENTIAL_REVOKED");
  }
  if (call2.caller === "user") codes.add("USER_SESSION_REQUIRED");
  if (call2.stepUp) codes.add("STEP_UP_REQUIRED");
  if (call2.tracker !== "none") codes.add("TRACKER_FORBIDDEN");
  if (call2.scopes.length > 0) codes.add("INSUFFICIENT_SCOPE").add("INSUFFICIENT_ROLE");
  if (call2.role !== null) codes.add("INSUFFICIENT_ROLE");
  if (call2.path.includes("{")) codes.add("NOT_FOUND");
  if (call2.method !== "GET" && call2.method !== "DELETE") codes.add("UNSUPPORTED_MEDIA_TYPE");
  if (call2.idempotency !== "ignored") codes.add("IDEMPOTENCY_KEY_REUSED").add("IDEMPOTENCY_IN_PROGRESS");
  if (call2.ifMatch === "required") codes.add("VERSION_CONFLICT");
  for (const code of call2.errors) codes.add(code);
  return [...codes];
}
function takesReadAfter({ method, tracker }) {
  return method === "GET" && (tracker === "required" || tracker === "path");
}
function tellsReadAfter({ method, base }) {
  return method !== "GET" && base === "/v1/financial";
}

// ../../packages/contracts/src/accounts/accounts.calls.ts
var accountsCalls = {
  listAccounts: call({
    name: "listAccounts",
    noun: "accounts",
    method: "GET",
    path: "/accounts",
    scopes: ["accounts:read"]
  }),
  listCashboxes: call({
    name: "listCashboxes",
    noun: "accounts",
    method: "GET",
    path: "/accounts/{accountId}/cashboxes",
    scopes: ["accounts:read"]
  }),
  listBalances: call({
    name: "listBalances",
    noun: "accounts",
    method: "GET",
    path: "/balances",
    scopes: ["balances:read"]
  }),
  createAccount: call({
    name: "createAccount",
    noun: "accounts",
    method: "POST",
    path: "/accounts",
    caller: "user",
    role: "admin",
    status: 201,
    errors: ["STATE_CONFLICT"]
  }),
  updateAccount: call({
    name: "updateAccount",
    noun: "accounts",
    method: "PATCH",
    path: "/accounts/{accountId}",
    caller: "user",
    role: "admin"
  }),
  createCashbox: call({
    name: "createCashbox",
    noun: "accounts",
    method: "POST",
    path: "/accounts/{accountId}/cashboxes",
    caller: "user",
    role: "admin",
    status: 201,
    errors: ["STATE_CONFLICT"]
  }),
  updateCashbox: call({
    name: "updateCashbox",
    noun: "accounts",
    method: "PATCH",
    path: "/cashboxes/{cashboxId}",
    caller: "user",
    role: "admin"
  })
};

// ../../packages/contracts/src/budgets/budgets.calls.ts
var budgetsCalls = {
  listBudgets: call({
    name: "listBudgets",
    noun: "budgets",
    method: "GET",
    path: "/budgets",
    scopes: ["budgets:read"]
  }),
  getBudget: call({
    name: "getBudget",
    noun: "budgets",
    method: "GET",
    path: "/budgets/{budgetId}",
    scopes: ["budgets:read"]
  }),
  createBudget: call({
    name: "createBudget",
    noun: "budgets",
    method: "POST",
    path: "/budgets",
    scopes: ["budgets:write"],
    idempotency: "accepted",
    status: 201,
    errors: ["NOT_FOUND", "STATE_CONFLICT"]
  }),
  addBudgetLine: call({
    name: "addBudgetLine",
    noun: "budgets",
    method: "POST",
    path: "/budgets/{budgetId}/lines",
    scopes: ["budgets:write"],
    idempotency: "accepted",
    status: 201,
    errors: ["STATE_CONFLICT"]
  })
};

// ../../packages/contracts/src/categories/categories.calls.ts
var categoriesCalls = {
  listCategories: call({
    name: "listCategories",
    noun: "categories",
    method: "GET",
    path: "/categories",
    scopes: ["catalog:read"]
  }),
  getCategory: call({
    name: "getCategory",
    noun: "categories",
    method: "GET",
    path: "/categories/{categoryId}",
    scopes: ["catalog:read"]
  }),
  // Either scope opens the door; the one that the body's `scope` needs is asked once the body is read (contract, 10a).
  createCategory: call({
    name: "createCategory",
    noun: "categories",
    method: "POST",
    path: "/categories",
    scopes: ["catalog:write:tracker", "catalog:write:user"],
    idempotency: "accepted",
    status: 201,
    errors: ["NOT_FOUND", "STATE_CONFLICT"]
  })
};

// ../../packages/contracts/src/context/context.calls.ts
var contextCalls = {
  getContext: call({ name: "getContext", noun: "context", method: "GET", path: "/context", scopes: ["context:read"] }),
  setActiveTracker: call({
    name: "setActiveTracker",
    noun: "context",
    method: "PUT",
    path: "/context/active-tracker",
    scopes: ["context:write"],
    tracker: "optional"
  }),
  setDefaultTracker: call({
    name: "setDefaultTracker",
    noun: "context",
    method: "PUT",
    path: "/context/default-tracker",
    scopes: ["context:write"],
    tracker: "optional"
  }),
  listTrackers: call({
    name: "listTrackers",
    noun: "context",
    method: "GET",
    path: "/trackers",
    scopes: ["trackers:read"],
    tracker: "optional"
  }),
  createTracker: call({
    name: "createTracker",
    noun: "context",
    method: "POST",
    path: "/trackers",
    caller: "user",
    tracker: "optional",
    status: 201
  }),
  updateTracker: call({
    name: "updateTracker",
    noun: "context",
    method: "PATCH",
    path: "/trackers/{trackerId}",
    caller: "user",
    tracker: "path",
    role: "admin"
  }),
  listMembers: call({
    name: "listMembers",
    noun: "context",
    method: "GET",
    path: "/trackers/{trackerId}/members",
    caller: "user",
    tracker: "path"
  }),
  addMember: call({
    name: "addMember",
    noun: "context",
    method: "POST",
    path: "/trackers/{trackerId}/members",
    caller: "user",
    tracker: "path",
    role: "admin",
    status: 201,
    errors: ["STATE_CONFLICT"]
  }),
  changeMemberRole: call({
    name: "changeMemberRole",
    noun: "context",
    method: "PATCH",
    path: "/trackers/{trackerId}/members/{userId}",
    caller: "user",
    tracker: "path",
    role: "admin",
    errors: ["STATE_CONFLICT"]
  }),
  // Everybody may leave, so the role is asked by the use case and only for removing somebody else.
  removeMember: call({
    name: "removeMember",
    noun: "context",
    method: "DELETE",
    path: "/trackers/{trackerId}/members/{userId}",
    caller: "user",
    tracker: "path",
    status: 204,
    errors: ["STATE_CONFLICT", "INSUFFICIENT_ROLE"]
  })
};

// ../../packages/contracts/src/credentials/credentials.calls.ts
var credentialsCalls = {
  listApiKeys: call({
    name: "listApiKeys",
    noun: "credentials",
    method: "GET",
    path: "/api-keys",
    caller: "user",
    tracker: "optional"
  }),
  createApiKey: call({
    name: "createApiKey",
    noun: "credentials",
    method: "POST",
    path: "/api-keys",
    caller: "user",
    tracker: "optional",
    stepUp: true,
    status: 201,
    errors: ["STATE_CONFLICT"]
  }),
  rotateApiKey: call({
    name: "rotateApiKey",
    noun: "credentials",
    method: "POST",
    path: "/api-keys/{clientId}/rotate",
    caller: "user",
    tracker: "optional",
    stepUp: true,
    status: 201,
    errors: ["STATE_CONFLICT"]
  }),
  revokeApiKey: call({
    name: "revokeApiKey",
    noun: "credentials",
    method: "DELETE",
    path: "/api-keys/{clientId}",
    caller: "user",
    tracker: "optional",
    status: 204
  }),
  listIntegrationClients: call({
    name: "listIntegrationClients",
    noun: "credentials",
    method: "GET",
    path: "/integration-clients",
    caller: "user",
    tracker: "optional"
  }),
  // A step-up is asked here only where the operator says so (INTEGRATION_CLIENTS_REQUIRE_STEP_UP).
  createIntegrationClient: call({
    name: "createIntegrationClient",
    noun: "credentials",
    method: "POST",
    path: "/integration-clients",
    caller: "user",
    tracker: "optional",
    status: 201,
    errors: ["STATE_CONFLICT", "STEP_UP_REQUIRED"]
  }),
  revokeIntegrationClient: call({
    name: "revokeIntegrationClient",
    noun: "credentials",
    method: "DELETE",
    path: "/integration-clients/{clientId}",
    caller: "user",
    tracker: "optional",
    status: 204
  })
};

// ../../packages/contracts/src/identity/identity.calls.ts
var identity = { noun: "identity", base: "/v1/identity", tracker: "none" };
var identityCalls = {
  createUser: call({
    ...identity,
    name: "createUser",
    method: "POST",
    path: "/users",
    caller: "anyone",
    status: 201,
    errors: ["STATE_CONFLICT"]
  }),
  createSession: call({
    ...identity,
    name: "createSession",
    method: "POST",
    path: "/sessions",
    caller: "anyone",
    status: 201,
    errors: ["CREDENTIAL_INVALID"]
  }),
  refreshSession: call({
    ...identity,
    name: "refreshSession",
    method: "POST",
    path: "/sessions/refresh",
    caller: "anyone",
    errors: ["CREDENTIAL_INVALID", "CREDENTIAL_EXPIRED", "CREDENTIAL_REVOKED", "SESSION_INACTIVE"]
  }),
  endSession: call({
    ...identity,
    name: "endSession",
    method: "DELETE",
    path: "/sessions/current",
    caller: "user",
    status: 204
  }),
  getMe: call({ ...identity, name: "getMe", method: "GET", path: "/me", caller: "user" }),
  enrolTotp: call({
    ...identity,
    name: "enrolTotp",
    method: "POST",
    path: "/totp",
    caller: "user",
    status: 201,
    errors: ["STEP_UP_REQUIRED"]
  }),
  confirmTotp: call({
    ...identity,
    name: "confirmTotp",
    method: "POST",
    path: "/totp/confirm",
    caller: "user",
    errors: ["STATE_CONFLICT"]
  }),
  verifyTotp: call({
    ...identity,
    name: "verifyTotp",
    method: "POST",
    path: "/totp/verify",
    caller: "user",
    errors: ["STATE_CONFLICT"]
  })
};
var jwksPath = "/.well-known/jwks.json";

// ../../packages/contracts/src/movements/movements.calls.ts
var movementsCalls = {
  listMovements: call({
    name: "listMovements",
    noun: "movements",
    method: "GET",
    path: "/movements",
    scopes: ["movements:read"]
  }),
  createMovement: call({
    name: "createMovement",
    noun: "movements",
    method: "POST",
    path: "/movements",
    scopes: ["movements:write"],
    idempotency: "required",
    status: 201,
    errors: ["NOT_FOUND"]
  }),
  getMovement: call({
    name: "getMovement",
    noun: "movements",
    method: "GET",
    path: "/movements/{movementId}",
    scopes: ["movements:read"]
  }),
  correctMovement: call({
    name: "correctMovement",
    noun: "movements",
    method: "PATCH",
    path: "/movements/{movementId}",
    scopes: ["movements:write"],
    idempotency: "required",
    ifMatch: "required",
    errors: ["STATE_CONFLICT"]
  })
};

// ../../packages/contracts/src/transfers/transfers.calls.ts
var transfersCalls = {
  createTransfer: call({
    name: "createTransfer",
    noun: "transfers",
    method: "POST",
    path: "/transfers",
    scopes: ["transfers:write"],
    idempotency: "required",
    status: 201,
    errors: ["NOT_FOUND"]
  }),
  getTransfer: call({
    name: "getTransfer",
    noun: "transfers",
    method: "GET",
    path: "/transfers/{groupId}",
    scopes: ["movements:read"]
  })
};

// ../../packages/contracts/src/error-codes.ts
var errorCodes = {
  VALIDATION_ERROR: { status: 400, remedy: "Correct the fields named in details.issues; do not resend unchanged." },
  UNAUTHENTICATED: { status: 401, remedy: 'Send "Authorization: Bearer <token>" with a session token or an API key.' },
  CREDENTIAL_INVALID: { status: 401, remedy: "Check the token or key; log in again or create a new key." },
  CREDENTIAL_EXPIRED: { status: 401, remedy: "Refresh the session, or rotate or replace the key." },
  CREDENTIAL_REVOKED: { status: 401, remedy: "Create a new credential; this one does not come back." },
  SESSION_INACTIVE: { status: 401, remedy: "Log in again; this session was ended." },
  STEP_UP_REQUIRED: { status: 401, remedy: "Verify a one-time code and repeat the call with the new token." },
  INSUFFICIENT_SCOPE: { status: 403, remedy: "Use a key that has one of details.requiredScopes." },
  INSUFFICIENT_ROLE: { status: 403, remedy: "Ask an owner of the tracker for the role in details.requiredRole." },
  TRACKER_FORBIDDEN: { status: 403, remedy: "Choose a tracker that GET /trackers lists for this credential." },
  USER_SESSION_REQUIRED: { status: 403, remedy: "Use the token of a user session; keys cannot make this call." },
  NOT_FOUND: { status: 404, remedy: "Check the path, the identifier and the tracker of the request." },
  METHOD_NOT_ALLOWED: { status: 405, remedy: "Use one of the methods in the Allow header." },
  VERSION_CONFLICT: { status: 409, remedy: "Fetch the record again, decide, and send its new ETag." },
  IDEMPOTENCY_KEY_REUSED: {
    status: 409,
    remedy: "Send the very same request again, or choose a new key for this one."
  },
  IDEMPOTENCY_IN_PROGRESS: { status: 409, remedy: "Wait for Retry-After and repeat with the same key and body." },
  STATE_CONFLICT: { status: 409, remedy: "See details.reason; change the state or the request." },
  PAYLOAD_TOO_LARGE: { status: 413, remedy: "Send at most details.maxBytes bytes." },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, remedy: 'Send "Content-Type: application/json" without Content-Encoding.' },
  REQUEST_HEADERS_TOO_LARGE: { status: 431, remedy: "Send fewer or shorter headers." },
  REQUEST_TIMEOUT: { status: 408, remedy: "Send the request faster, or over a better connection." },
  RATE_LIMITED: { status: 429, remedy: "Wait for Retry-After, then go on slower." },
  INTERNAL_ERROR: { status: 500, remedy: "Retry a few times with backoff; then report the requestId." },
  SERVICE_UNAVAILABLE: {
    status: 503,
    remedy: "Wait for Retry-After, then repeat the request; with its idempotency key, if it has one."
  }
};
var issueCodes = [
  "REQUIRED",
  "INVALID_FORMAT",
  "UNKNOWN_FIELD",
  "REPEATED_PARAMETER",
  "OUT_OF_RANGE",
  "TOO_LONG",
  "MALFORMED_JSON",
  "FILTER_CONFLICT",
  "AMOUNT_PRECISION",
  "CURRENCY_MISMATCH",
  "UNKNOWN_CURRENCY",
  "FIELD_CONFLICT",
  "CASHBOX_SELECTION_REQUIRED",
  "NO_ELIGIBLE_CASHBOX",
  "SAME_SOURCE_AND_DESTINATION",
  "CATEGORY_NOT_USABLE",
  "IDEMPOTENCY_KEY_REQUIRED",
  "IF_MATCH_REQUIRED",
  "TRACKER_HEADER_REQUIRED",
  "EMPTY_PATCH"
];
var stateConflictReasons = [
  "transfer_leg",
  "name_taken",
  "line_exists",
  "limit_reached",
  "not_active",
  "legacy",
  "email_taken",
  "registration_closed",
  "already_member",
  "last_owner",
  "not_enrolled"
];

// ../../packages/contracts/src/headers.ts
var headerNames = {
  authorization: "Authorization",
  trackerId: "X-Service-Tracker-Id",
  idempotencyKey: "Idempotency-Key",
  ifMatch: "If-Match",
  ifNoneMatch: "If-None-Match",
  etag: "ETag",
  location: "Location",
  requestId: "X-Request-Id",
  retryAfter: "Retry-After",
  rateLimit: "RateLimit",
  rateLimitPolicy: "RateLimit-Policy",
  readAfter: "Centavo-Read-After"
};
var idempotencyKeyPattern = /^[\x20-\x7e]{1,200}$/;
var idempotencyKeyLengthMax = 200;
var logPositionPattern = /^([0-9A-Fa-f]{1,8})\/([0-9A-Fa-f]{1,8})$/;
var bodyBytesMax = 65536;
var apiVersion = 1;

// ../../packages/contracts/src/scopes.ts
var scopes = [
  "context:read",
  "context:write",
  "trackers:read",
  "catalog:read",
  "catalog:write:tracker",
  "catalog:write:user",
  "accounts:read",
  "balances:read",
  "budgets:read",
  "budgets:write",
  "movements:read",
  "movements:write",
  "transfers:write"
];
var roles2 = ["viewer", "editor", "admin", "owner"];
var roleOfScope = {
  "context:read": null,
  "context:write": null,
  "trackers:read": null,
  "catalog:read": "viewer",
  "catalog:write:tracker": "editor",
  "catalog:write:user": null,
  "accounts:read": "viewer",
  "balances:read": "viewer",
  "budgets:read": "viewer",
  "budgets:write": "editor",
  "movements:read": "viewer",
  "movements:write": "editor",
  "transfers:write": "editor"
};
function roleReaches(role, least) {
  return roles2.indexOf(role) >= roles2.indexOf(least);
}

// ../../packages/contracts/src/values/secret-format.ts
var secretPrefix = "centavo_live_";
var base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
var randomLength = 43;
var checksumLength = 6;
var secretPattern = /^centavo_live_[0-9A-Za-z]{49}$/;
function formatSecret(random) {
  if (random.length !== 32) throw new RangeError("A secret is made of 32 random bytes");
  let value = 0n;
  for (const byte of random) value = value * 256n + BigInt(byte);
  const body = secretPrefix + toBase62(value, randomLength);
  return body + checksumOf(body);
}
function isWellFormedSecret(text3) {
  if (!secretPattern.test(text3)) return false;
  return text3.endsWith(checksumOf(text3.slice(0, -checksumLength)));
}
function checksumOf(body) {
  let crc = 4294967295;
  for (let index = 0; index < body.length; index += 1) {
    crc ^= body.charCodeAt(index);
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? crc >>> 1 ^ 3988292384 : crc >>> 1;
  }
  return toBase62(BigInt((crc ^ 4294967295) >>> 0), checksumLength);
}
function toBase62(value, length) {
  let text3 = "";
  for (let rest = value; rest > 0n; rest /= 62n) text3 = base62.charAt(Number(rest % 62n)) + text3;
  return text3.padStart(length, "0");
}

// ../../packages/contracts/src/calls.ts
var calls = {
  ...contextCalls,
  ...accountsCalls,
  ...categoriesCalls,
  ...movementsCalls,
  ...transfersCalls,
  ...budgetsCalls,
  ...credentialsCalls,
  ...identityCalls
};

// ../../packages/contracts/src/categories/category-record.ts
import * as z8 from "zod";
var categoryKinds = ["expense", "income", "any"];
var categoryScopes = ["system", "tracker", "user"];
var unknownCategoryId = "cat_unknown";
var categoryRecord = z8.strictObject({
  id: z8.string(),
  name: z8.string(),
  kind: z8.enum(categoryKinds),
  scope: z8.enum(categoryScopes),
  trackerId: z8.uuid().nullable(),
  parentId: z8.string().nullable(),
  isUnknown: z8.boolean(),
  status: z8.enum(recordStatuses),
  createdAt: timestamp,
  updatedAt: timestamp
});

// ../../packages/contracts/src/categories/category-requests.ts
import * as z9 from "zod";
var createCategoryBody = z9.strictObject({
  name: nameField,
  kind: omittable(z9.enum(categoryKinds)),
  scope: omittable(z9.enum(["tracker", "user"])),
  parentId: omittable(categoryIdField)
});

// ../../packages/contracts/src/context/context-record.ts
import * as z10 from "zod";
var credentialKinds = ["secure", "legacy", "integration_client"];
var contextRecord = z10.strictObject({
  activeTrackerId: z10.uuid().nullable(),
  defaultTrackerId: z10.uuid().nullable(),
  resolvedBy: z10.enum(["header", "single", "active", "default"]).nullable(),
  principal: z10.strictObject({
    type: z10.enum(["user", "integration_client"]),
    id: z10.uuid(),
    name: z10.string(),
    kind: z10.enum(credentialKinds).nullable(),
    scopes: z10.array(z10.enum(scopes)),
    expiresAt: timestamp.nullable()
  })
});

// ../../packages/contracts/src/context/context-requests.ts
import * as z11 from "zod";
var chooseTrackerBody = z11.strictObject({ trackerId: uuidField });
var timeZoneField = z11.string().meta({ pattern: "^[A-Za-z]", description: "An IANA time zone.", examples: ["Europe/Madrid"] }).transform((zone, context) => {
  if (!/^[A-Za-z]/.test(zone) || !isKnownTimeZone(zone)) {
    refuse(context, "INVALID_FORMAT", 'Send an IANA time zone, such as "Europe/Madrid".');
  }
  return zone;
});
function isKnownTimeZone(zone) {
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}
var createTrackerBody = z11.strictObject({
  name: nameField,
  currencyCode: currencyField,
  timeZone: timeZoneField
});
var updateTrackerBody = z11.strictObject({ name: nameField.optional(), timeZone: timeZoneField.optional() }).meta({ minProperties: 1 }).transform((body, context) => {
  if (Object.keys(body).length === 0) refuse(context, "EMPTY_PATCH", "Send at least one of name and timeZone.");
  return body;
});
var emailField = z11.string().meta({
  maxLength: 254,
  pattern: "^\\s*[^\\s@\\u0000-\\u001F\\u007F-\\u009F]+@[^\\s@\\u0000-\\u001F\\u007F-\\u009F]+\\s*$",
  examples: ["ana@example.org"]
}).transform((text3, context) => {
  const email = text3.trim();
  if (email.length > 254 || !/^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u.test(email) || !email.isWellFormed()) {
    refuse(context, "INVALID_FORMAT", "Send an e-mail address.");
  }
  return email;
});
var addMemberBody = z11.strictObject({ email: emailField, role: z11.enum(roles2) });
var changeMemberRoleBody = z11.strictObject({ role: z11.enum(roles2) });

// ../../packages/contracts/src/context/member-record.ts
import * as z12 from "zod";
var memberRecord = z12.strictObject({
  userId: z12.uuid(),
  email: z12.string().nullable(),
  displayName: z12.string().nullable(),
  role: z12.enum(roles2),
  createdAt: timestamp
});

// ../../packages/contracts/src/context/tracker-record.ts
import * as z13 from "zod";
var trackerRecord = z13.strictObject({
  id: z13.uuid(),
  name: z13.string(),
  role: z13.enum(roles2),
  currencyCode,
  timeZone: z13.string(),
  isActive: z13.boolean(),
  isDefault: z13.boolean(),
  createdAt: timestamp,
  updatedAt: timestamp
});

// ../../packages/contracts/src/credentials/credential-record.ts
import * as z14 from "zod";
var accessModes = ["selected", "all_managed", "all_memberships"];
var credentialRecord = z14.strictObject({
  clientId: z14.uuid(),
  kind: z14.enum(credentialKinds),
  name: z14.string(),
  scopes: z14.array(z14.enum(scopes)),
  access: z14.strictObject({ mode: z14.enum(accessModes), trackerIds: z14.array(z14.uuid()) }),
  defaultTrackerId: z14.uuid().nullable(),
  secretPrefix: z14.literal(secretPrefix),
  secretLast4: z14.string().length(4),
  status: z14.enum(["active", "expired", "revoked"]),
  expiresAt: timestamp,
  lastUsedAt: timestamp.nullable(),
  rotatedFrom: z14.uuid().nullable(),
  createdAt: timestamp,
  revokedAt: timestamp.nullable()
});
var createdCredentialRecord = z14.strictObject({ ...credentialRecord.shape, secret: z14.string() });

// ../../packages/contracts/src/credentials/credential-requests.ts
import * as z15 from "zod";
var rfc3339 = /^(\d{4}-\d{2}-\d{2})[Tt]([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)$/;
var momentField = z15.string().meta({ format: "date-time", examples: ["2027-01-31T12:00:00Z"] }).transform((text3, context) => {
  const match = rfc3339.exec(text3);
  if (match === null || !isCalendarDate(match[1] ?? "")) {
    refuse(context, "INVALID_FORMAT", 'Send an RFC 3339 time with a zone, such as "2027-01-31T12:00:00Z".');
    return text3;
  }
  return new Date(text3.toUpperCase()).toISOString();
});
var trackerIdsMax = 100;
var scopeList = z15.array(z15.enum(scopes)).meta({ minItems: 1, uniqueItems: true }).transform((list, context) => {
  if (list.length === 0) refuse(context, "REQUIRED", "Name at least one scope.");
  if (new Set(list).size !== list.length) refuse(context, "INVALID_FORMAT", "Name each scope once.");
  return list;
});
var trackerIdList = z15.array(uuidField).meta({ minItems: 1, maxItems: trackerIdsMax, uniqueItems: true }).transform((list, context) => {
  if (list.length > trackerIdsMax)
    refuse(context, "TOO_LONG", `Name at most ${trackerIdsMax} trackers, or use mode "all_managed".`);
  if (new Set(list).size !== list.length) refuse(context, "INVALID_FORMAT", "Name each tracker once.");
  return list;
});
function accessField(modesWithoutList) {
  return z15.strictObject({ mode: z15.enum(["selected", ...modesWithoutList]), trackerIds: omittable(trackerIdList) }).transform((access, context) => {
    const fail = (code, message) => context.addIssue({ code: "custom", path: ["trackerIds"], message, params: { code } });
    if (access.mode === "selected" && (access.trackerIds ?? []).length === 0) {
      fail("REQUIRED", "Name at least one tracker that the key may use.");
    }
    if (access.mode !== "selected" && access.trackerIds !== void 0) {
      fail("FIELD_CONFLICT", `Leave trackerIds out with mode "${access.mode}".`);
    }
    return { mode: access.mode, trackerIds: access.trackerIds ?? [] };
  });
}
var createApiKeyBody = z15.strictObject({
  name: nameField,
  scopes: scopeList,
  access: accessField(["all_managed"]),
  defaultTrackerId: omittable(uuidField),
  // `null` is refused rather than read as "for ever" (contract, section 4).
  expiresAt: momentField.optional()
});
var createIntegrationClientBody = z15.strictObject({
  ...createApiKeyBody.shape,
  // `null` is refused rather than read as everything.
  access: accessField(["all_managed", "all_memberships"]).optional()
});
var rotateApiKeyBody = z15.strictObject({ name: omittable(nameField), expiresAt: momentField.optional() });

// ../../packages/contracts/src/envelope.ts
import * as z17 from "zod";

// ../../packages/contracts/src/values/pagination.ts
import * as z16 from "zod";
var pageLimitDefault = 50;
var pageLimitMax = 200;
var pageOffsetMax = 1e5;
var pagination = z16.strictObject({
  limit: z16.int(),
  offset: z16.int().nullable(),
  count: z16.int(),
  total: z16.int().nullable(),
  hasMore: z16.boolean(),
  nextOffset: z16.int().nullable(),
  nextCursor: z16.string().nullable()
});

// ../../packages/contracts/src/envelope.ts
var successMeta = z17.strictObject({
  apiVersion: z17.literal(apiVersion),
  requestId: z17.uuid(),
  trackerId: z17.uuid().nullable(),
  idempotentReplay: z17.literal(true).optional(),
  pagination: pagination.optional()
});
var errorEnvelope = z17.strictObject({
  error: z17.strictObject({
    code: z17.enum(Object.keys(errorCodes)),
    message: z17.string().min(1),
    details: z17.record(z17.string(), z17.unknown())
  }),
  meta: z17.strictObject({ apiVersion: z17.literal(apiVersion), requestId: z17.uuid() })
});

// ../../packages/contracts/src/identity/identity-records.ts
import * as z18 from "zod";
var userRecord = z18.strictObject({
  userId: z18.uuid(),
  email: z18.string(),
  displayName: z18.string().nullable(),
  createdAt: timestamp
});
var sessionRecord = z18.strictObject({
  sessionId: z18.uuid(),
  accessToken: z18.string(),
  tokenType: z18.literal("Bearer"),
  expiresAt: timestamp,
  refreshToken: z18.string(),
  refreshExpiresAt: timestamp,
  totpEnrolled: z18.boolean()
});
var meRecord = z18.strictObject({
  userId: z18.uuid(),
  email: z18.string().nullable(),
  displayName: z18.string().nullable(),
  totpEnrolled: z18.boolean()
});
var totpEnrolmentRecord = z18.strictObject({
  secret: z18.string().regex(/^[A-Z2-7]+$/),
  otpauthUri: z18.string().startsWith("otpauth://totp/")
});
var steppedUpRecord = z18.strictObject({ accessToken: z18.string(), expiresAt: timestamp });

// ../../packages/contracts/src/identity/identity-requests.ts
import * as z19 from "zod";
var newPasswordField = z19.string().meta({ format: "password", minLength: 12, maxLength: 128 }).transform((password, context) => {
  const length = [...password].length;
  if (length < 12) refuse(context, "OUT_OF_RANGE", "Choose a password of at least 12 characters.");
  if (length > 128) refuse(context, "TOO_LONG", "Choose a password of at most 128 characters.");
  if (!password.isWellFormed()) refuse(context, "INVALID_FORMAT", "Remove broken surrogate pairs.");
  return password;
});
var createUserBody = z19.strictObject({
  email: emailField,
  password: newPasswordField,
  displayName: omittable(optionalText({ lengthMax: 100, multiline: false }))
});
var createSessionBody = z19.strictObject({ email: emailField, password: z19.string().max(1024) });
var refreshSessionBody = z19.strictObject({ refreshToken: z19.string().min(1).max(1024) });
var totpCodeBody = z19.strictObject({ code: z19.string().regex(/^\d{6}$/, "Send the six digits of the code.") });

// ../../packages/contracts/src/movements/movement-filters.ts
import * as z20 from "zod";
var categoryIdsMax = 5;
function wholeNumber2(range) {
  const told = { type: "integer", minimum: range.min, maximum: range.max };
  return z20.string().meta(range.otherwise === void 0 ? told : { ...told, default: range.otherwise }).transform((text3, context) => {
    const value = Number(text3);
    if (!/^-?\d+$/.test(text3)) refuse(context, "INVALID_FORMAT", "Send a whole number.");
    else if (value < range.min || value > range.max) {
      refuse(context, "OUT_OF_RANGE", `Send a number from ${range.min} to ${range.max}.`);
    }
    return value;
  });
}
var toldList = {
  type: "array",
  items: { type: "string", pattern: categoryIdPattern.source },
  minItems: 1,
  maxItems: categoryIdsMax
};
var categoryIdList = z20.string().meta(toldList).transform((text3, context) => {
  const ids = text3.split(",");
  if (ids.length > categoryIdsMax) refuse(context, "OUT_OF_RANGE", `Send at most ${categoryIdsMax} ids.`);
  if (ids.some((id) => !categoryIdField.safeParse(id).success)) {
    refuse(context, "INVALID_FORMAT", "Send category ids, separated by commas, without spaces.");
  }
  return [...new Set(ids)];
});
var filterFields = z20.strictObject({
  type: z20.enum(movementTypes).optional(),
  kind: z20.enum(movementKinds).optional(),
  categoryId: categoryIdField.optional(),
  categoryIds: categoryIdList.optional(),
  accountId: uuidField.optional(),
  cashboxId: uuidField.optional(),
  from: dateField.optional(),
  to: dateField.optional(),
  limit: wholeNumber2({ min: 1, max: pageLimitMax, otherwise: pageLimitDefault }).optional(),
  offset: wholeNumber2({ min: 0, max: pageOffsetMax }).optional(),
  cursor: z20.string().min(1).max(500).optional(),
  includeTotal: z20.enum(["true", "false"]).optional()
});
var withoutTwoCategoryFilters = crossCheck(filterFields, {
  code: "FILTER_CONFLICT",
  message: "Send categoryId or categoryIds, not both.",
  path: ["categoryIds"],
  holds: ({ categoryId, categoryIds }) => categoryId === void 0 || categoryIds === void 0
});
var withoutTwoPositions = crossCheck(withoutTwoCategoryFilters, {
  code: "FILTER_CONFLICT",
  message: "Send cursor or offset, not both.",
  path: ["cursor"],
  holds: ({ cursor, offset }) => cursor === void 0 || offset === void 0
});
var withOrderedDates = crossCheck(withoutTwoPositions, {
  code: "FILTER_CONFLICT",
  message: "Send a from that is not after to.",
  path: ["from"],
  holds: ({ from, to }) => areInOrder(from, to)
});
var movementFilters = withOrderedDates.transform((filters) => {
  const { categoryId, categoryIds, limit, includeTotal, ...others2 } = filters;
  return {
    ...others2,
    categoryIds: categoryId === void 0 ? categoryIds : [categoryId],
    limit: limit ?? pageLimitDefault,
    includeTotal: includeTotal === "true"
  };
});

// ../../packages/contracts/src/movements/movement-requests.ts
import * as z21 from "zod";
var createMovementBody = z21.strictObject({
  type: z21.enum(movementTypes),
  amountDecimal: amountField,
  accountId: uuidField,
  categoryId: omittable(categoryIdField),
  cashboxId: omittable(uuidField),
  occurredOn: omittable(dateField),
  currencyCode: omittable(currencyField),
  description: omittable(descriptionField),
  merchantName: omittable(merchantNameField)
});
var correctMovementBody = z21.strictObject({
  amountDecimal: amountField.optional(),
  categoryId: categoryIdField.nullable().optional(),
  description: descriptionField,
  merchantName: merchantNameField
}).meta({ minProperties: 1 }).transform((body, context) => {
  if (Object.values(body).every((value) => value === void 0)) {
    refuse(context, "EMPTY_PATCH", "Send at least one of amountDecimal, categoryId, description and merchantName.");
  }
  return body;
});

// ../../packages/contracts/src/route-contract.ts
function route(call2, schemas) {
  return {
    call: call2,
    query: schemas.query ?? null,
    body: schemas.body ?? null,
    bodyOptional: schemas.bodyOptional ?? false,
    data: schemas.data ?? null,
    paginated: schemas.paginated ?? false,
    versioned: schemas.versioned ?? false,
    location: schemas.location ?? null
  };
}

// ../../packages/contracts/src/accounts/accounts.routes.ts
import * as z22 from "zod";
var accountsRoutes = {
  listAccounts: route(accountsCalls.listAccounts, { data: z22.array(accountRecord) }),
  listCashboxes: route(accountsCalls.listCashboxes, { data: z22.array(cashboxRecord) }),
  listBalances: route(accountsCalls.listBalances, { data: z22.array(balanceRecord) }),
  createAccount: route(accountsCalls.createAccount, {
    body: createAccountBody,
    data: accountWithCashboxesRecord,
    location: () => "/v1/financial/accounts"
  }),
  updateAccount: route(accountsCalls.updateAccount, { body: updateAccountBody, data: accountRecord }),
  createCashbox: route(accountsCalls.createCashbox, {
    body: createCashboxBody,
    data: cashboxRecord,
    location: (cashbox) => `/v1/financial/accounts/${cashbox.accountId}/cashboxes`
  }),
  updateCashbox: route(accountsCalls.updateCashbox, { body: updateCashboxBody, data: cashboxRecord })
};

// ../../packages/contracts/src/budgets/budgets.routes.ts
import * as z23 from "zod";
var budgetsRoutes = {
  listBudgets: route(budgetsCalls.listBudgets, { query: budgetFilters, data: z23.array(budgetRecord) }),
  getBudget: route(budgetsCalls.getBudget, { data: budgetDetailRecord }),
  createBudget: route(budgetsCalls.createBudget, {
    body: createBudgetBody,
    data: budgetDetailRecord,
    location: (budget) => `/v1/financial/budgets/${budget.id}`
  }),
  addBudgetLine: route(budgetsCalls.addBudgetLine, {
    body: addBudgetLineBody,
    data: budgetLineRecord,
    location: (line) => `/v1/financial/budgets/${line.budgetId}`
  })
};

// ../../packages/contracts/src/categories/categories.routes.ts
import * as z24 from "zod";
var categoriesRoutes = {
  listCategories: route(categoriesCalls.listCategories, { data: z24.array(categoryRecord) }),
  getCategory: route(categoriesCalls.getCategory, { data: categoryRecord }),
  createCategory: route(categoriesCalls.createCategory, {
    body: createCategoryBody,
    data: categoryRecord,
    location: (category) => `/v1/financial/categories/${category.id}`
  })
};

// ../../packages/contracts/src/context/context.routes.ts
import * as z25 from "zod";
var contextRoutes = {
  getContext: route(contextCalls.getContext, { data: contextRecord }),
  setActiveTracker: route(contextCalls.setActiveTracker, { body: chooseTrackerBody, data: contextRecord }),
  setDefaultTracker: route(contextCalls.setDefaultTracker, { body: chooseTrackerBody, data: contextRecord }),
  listTrackers: route(contextCalls.listTrackers, { data: z25.array(trackerRecord) }),
  createTracker: route(contextCalls.createTracker, {
    body: createTrackerBody,
    data: trackerRecord,
    location: () => "/v1/financial/trackers"
  }),
  updateTracker: route(contextCalls.updateTracker, { body: updateTrackerBody, data: trackerRecord }),
  listMembers: route(contextCalls.listMembers, { data: z25.array(memberRecord) }),
  addMember: route(contextCalls.addMember, {
    body: addMemberBody,
    data: memberRecord,
    location: (_, { trackerId }) => `/v1/financial/trackers/${trackerId}/members`
  }),
  changeMemberRole: route(contextCalls.changeMemberRole, { body: changeMemberRoleBody, data: memberRecord }),
  removeMember: route(contextCalls.removeMember, {})
};

// ../../packages/contracts/src/credentials/credentials.routes.ts
import * as z26 from "zod";
var credentialsRoutes = {
  listApiKeys: route(credentialsCalls.listApiKeys, { data: z26.array(credentialRecord) }),
  createApiKey: route(credentialsCalls.createApiKey, {
    body: createApiKeyBody,
    data: createdCredentialRecord,
    location: () => "/v1/financial/api-keys"
  }),
  rotateApiKey: route(credentialsCalls.rotateApiKey, {
    body: rotateApiKeyBody,
    bodyOptional: true,
    data: createdCredentialRecord,
    location: () => "/v1/financial/api-keys"
  }),
  revokeApiKey: route(credentialsCalls.revokeApiKey, {}),
  listIntegrationClients: route(credentialsCalls.listIntegrationClients, { data: z26.array(credentialRecord) }),
  createIntegrationClient: route(credentialsCalls.createIntegrationClient, {
    body: createIntegrationClientBody,
    data: createdCredentialRecord,
    location: () => "/v1/financial/integration-clients"
  }),
  revokeIntegrationClient: route(credentialsCalls.revokeIntegrationClient, {})
};

// ../../packages/contracts/src/identity/identity.routes.ts
var identityRoutes = {
  createUser: route(identityCalls.createUser, { body: createUserBody, data: userRecord }),
  createSession: route(identityCalls.createSession, { body: createSessionBody, data: sessionRecord }),
  refreshSession: route(identityCalls.refreshSession, { body: refreshSessionBody, data: sessionRecord }),
  endSession: route(identityCalls.endSession, {}),
  getMe: route(identityCalls.getMe, { data: meRecord }),
  enrolTotp: route(identityCalls.enrolTotp, { data: totpEnrolmentRecord }),
  confirmTotp: route(identityCalls.confirmTotp, { body: totpCodeBody, data: steppedUpRecord }),
  verifyTotp: route(identityCalls.verifyTotp, { body: totpCodeBody, data: steppedUpRecord })
};

// ../../packages/contracts/src/movements/movements.routes.ts
import * as z27 from "zod";
var movementsRoutes = {
  listMovements: route(movementsCalls.listMovements, {
    query: movementFilters,
    data: z27.array(movementRecord),
    paginated: true
  }),
  createMovement: route(movementsCalls.createMovement, {
    body: createMovementBody,
    data: movementRecord,
    versioned: true,
    location: (movement) => `/v1/financial/movements/${movement.id}`
  }),
  getMovement: route(movementsCalls.getMovement, { data: movementRecord, versioned: true }),
  correctMovement: route(movementsCalls.correctMovement, {
    body: correctMovementBody,
    data: movementRecord,
    versioned: true
  })
};

// ../../packages/contracts/src/transfers/transfer-record.ts
import * as z28 from "zod";
var transferSide = z28.strictObject({ accountId: z28.uuid(), cashboxId: z28.uuid(), movementId: z28.uuid() });
var transferRecord = z28.strictObject({
  groupId: z28.uuid(),
  trackerId: z28.uuid(),
  amountDecimal: amount,
  currencyCode,
  occurredOn: calendarDate,
  description: z28.string().nullable(),
  from: transferSide,
  to: transferSide,
  movements: z28.tuple([movementRecord, movementRecord]),
  createdAt: timestamp
});

// ../../packages/contracts/src/transfers/transfer-requests.ts
import * as z29 from "zod";
var createTransferBody = z29.strictObject({
  amountDecimal: amountField,
  fromAccountId: uuidField,
  fromCashboxId: omittable(uuidField),
  toAccountId: uuidField,
  toCashboxId: omittable(uuidField),
  currencyCode: omittable(currencyField),
  occurredOn: omittable(dateField),
  description: omittable(descriptionField)
});

// ../../packages/contracts/src/transfers/transfers.routes.ts
var transfersRoutes = {
  createTransfer: route(transfersCalls.createTransfer, {
    body: createTransferBody,
    data: transferRecord,
    location: (transfer) => `/v1/financial/transfers/${transfer.groupId}`
  }),
  getTransfer: route(transfersCalls.getTransfer, { data: transferRecord })
};

// ../../packages/contracts/src/routes.ts
var routes = {
  ...contextRoutes,
  ...accountsRoutes,
  ...categoriesRoutes,
  ...movementsRoutes,
  ...transfersRoutes,
  ...budgetsRoutes,
  ...credentialsRoutes,
  ...identityRoutes
};

// src/commands/create-legacy-key.ts
import { v7 as uuidv7 } from "uuid";

// src/api-error.ts
var ApiError = class extends Error {
  code;
  details;
  headers;
  internalReason;
  constructor(options) {
    super(options.message, { cause: options.cause });
    this.name = "ApiError";
    this.code = options.code;
    this.details = options.details ?? {};
    this.headers = options.headers ?? {};
    this.internalReason = options.internalReason;
  }
  /** The HTTP status, which lives on the code. */
  get status() {
    return errorCodes[this.code].status;
  }
};
function validationError(issues) {
  const named = issues.map((issue2) => issue2.path || "body").join(", ");
  return new ApiError({
    code: "VALIDATION_ERROR",
    message: `The request is not valid: ${named}. ${errorCodes.VALIDATION_ERROR.remedy}`,
    details: { issues }
  });
}
function noSuchPath() {
  return new ApiError({ code: "NOT_FOUND", message: "There is no such path here; /docs lists those there are." });
}
function notFound(resource) {
  return new ApiError({
    code: "NOT_FOUND",
    message: resource === void 0 ? "There is no such resource here." : `There is no such ${resource} here.`,
    details: resource === void 0 ? {} : { resource }
  });
}
function stateConflict(reason, message) {
  return new ApiError({ code: "STATE_CONFLICT", message, details: { reason } });
}
function serviceUnavailable(options) {
  const { message = "The service cannot answer right now. Wait for Retry-After, then repeat the request." } = options;
  return new ApiError({ ...options, code: "SERVICE_UNAVAILABLE", message, headers: { "Retry-After": "1" } });
}
function trackerForbidden(trackerIds) {
  return new ApiError({
    code: "TRACKER_FORBIDDEN",
    message: trackerIds.length === 0 ? "This credential has no tracker that it may use." : "This credential may not use the tracker. GET /trackers lists those it may.",
    details: { trackerIds }
  });
}

// src/resources/credentials/create-credential.ts
var credentialsPerUserMax = 100;
var keyValidityDaysDefault = 90;
function decideCredential(request) {
  const { body, now } = request;
  const { mode, trackerIds } = body.access ?? { mode: "all_memberships", trackerIds: [] };
  const expiry = decideExpiry({ expiresAt: body.expiresAt, now, validityDaysMax: request.validityDaysMax });
  const issues = expiry.issue === void 0 ? [] : [expiry.issue];
  const { defaultTrackerId } = body;
  if (mode === "selected" && defaultTrackerId !== void 0 && !trackerIds.includes(defaultTrackerId)) {
    issues.push({
      path: "defaultTrackerId",
      code: "FIELD_CONFLICT",
      message: "Choose one of access.trackerIds as the default tracker."
    });
  }
  if (expiry.expiresAt === void 0 || issues.length > 0) throw validationError(issues);
  const leastRole = request.kind === "secure" || mode === "all_managed" ? "admin" : "viewer";
  const mayGive = new Set(
    request.memberships.filter(({ role }) => roleReaches(role, leastRole)).map(({ trackerId }) => trackerId)
  );
  const asked = defaultTrackerId === void 0 ? trackerIds : [...trackerIds, defaultTrackerId];
  const forbidden = [...new Set(asked.filter((trackerId) => !mayGive.has(trackerId)))];
  if (forbidden.length > 0) throw trackerForbidden(forbidden);
  requireRoomForOneMore(request.unrevokedCount);
  return {
    name: body.name,
    scopes: body.scopes,
    accessMode: mode,
    trackerIds,
    defaultTrackerId: defaultTrackerId ?? null,
    createdAt: now,
    expiresAt: expiry.expiresAt
  };
}
function requireRoomForOneMore(unrevokedCount) {
  if (unrevokedCount < credentialsPerUserMax) return;
  throw stateConflict("limit_reached", `You have ${credentialsPerUserMax} credentials; revoke one first.`);
}
function decideExpiry(request) {
  const dayMs = 864e5;
  const latest = new Date(request.now.getTime() + request.validityDaysMax * dayMs);
  if (request.expiresAt === void 0) {
    const usual = new Date(request.now.getTime() + keyValidityDaysDefault * dayMs);
    return { expiresAt: usual < latest ? usual : latest };
  }
  const asked = new Date(request.expiresAt);
  if (asked > request.now && asked <= latest) return { expiresAt: asked };
  return {
    issue: {
      path: "expiresAt",
      code: "OUT_OF_RANGE",
      message: `Send a time in the future, at most ${request.validityDaysMax} days ahead.`
    }
  };
}

// src/resources/credentials/credentials.queries.ts
var columns = `id, lineage_id, kind, name, scopes, access_mode, tracker_ids, default_tracker_id, secret_last4, expires_at, last_used_at,
  rotated_from, created_at, revoked_at`;
async function listCredentials(tx, owner) {
  return query(
    tx,
    `select ${columns} from app.credentials where user_id = :userId and kind = any (:kinds)
     order by created_at desc, id desc`,
    owner
  );
}
async function loadCreateCredentialFacts(tx, owner) {
  await query(tx, `select pg_advisory_xact_lock(hashtextextended('credentials ' || cast(:userId as text), 4))`, owner);
  const [facts] = await query(
    tx,
    `select
       (select coalesce(json_agg(json_build_object('trackerId', m.tracker_id, 'role', m.role)), '[]')
        from app.members m where m.user_id = :userId) as memberships,
       (select count(*)::int from app.credentials c where c.user_id = :userId and c.revoked_at is null) as "unrevokedCount"`,
    owner
  );
  return facts ?? { memberships: [], unrevokedCount: 0 };
}
async function insertCredential(tx, credential) {
  const [row] = await query(
    tx,
    `insert into app.credentials (id, user_id, lineage_id, kind, name, scopes, access_mode, tracker_ids, default_tracker_id,
       secret_sha256, secret_last4, created_at, expires_at, rotated_from)
     values (:id, :userId, :lineageId, :kind, :name, :scopes, :accessMode, cast(:trackerIds as uuid[]), :defaultTrackerId,
       :secretSha256, :secretLast4, :createdAt, :expiresAt, :rotatedFrom)
     returning ${columns}`,
    { ...credential }
  );
  if (row === void 0) throw new Error("A credential was inserted without a row");
  return row;
}
async function findCredential(tx, key) {
  const [row] = await query(
    tx,
    `select ${columns} from app.credentials where id = :id and user_id = :userId and kind = any (:kinds) for update`,
    key
  );
  return row;
}
async function revokeCredential(tx, key) {
  await query(
    tx,
    `select pg_advisory_xact_lock(hashtextextended(encode(secret_sha256, 'hex'), 1))
     from app.credentials where id = :id and user_id = :userId`,
    key
  );
  const rows = await query(
    tx,
    `update app.credentials set revoked_at = now() where id = :id and user_id = :userId and revoked_at is null returning id`,
    key
  );
  return rows.length > 0;
}
async function actAsUser(tx, user) {
  await query(tx, `select set_config('role', 'centavo_app', true)`);
  const [found] = await query(tx, "select app.find_user_by_email(:email) as id", user);
  const id = found?.id ?? void 0;
  if (id !== void 0) await query(tx, `select set_config('app.user_id', :id, true)`, { id });
  return id;
}

// src/resources/credentials/make-secret.ts
import { createHash as createHash5 } from "crypto";
function makeSecret(randomBytes6) {
  const secret = formatSecret(randomBytes6(32));
  return { secret, secretSha256: createHash5("sha256").update(secret).digest(), secretLast4: secret.slice(-4) };
}

// src/resources/credentials/create-legacy-key.ts
async function createLegacyKey(tx, request) {
  const userId = await actAsUser(tx, { email: request.email });
  if (userId === void 0) throw notFound("user");
  const facts = await loadCreateCredentialFacts(tx, { userId });
  const { body, now, keyMaxValidityDays: validityDaysMax } = request;
  const plan = decideCredential({ kind: "integration_client", body, ...facts, now, validityDaysMax });
  const { secret, ...kept2 } = makeSecret(request.randomBytes);
  const id = request.newId();
  await insertCredential(tx, { ...plan, ...kept2, id, lineageId: id, rotatedFrom: null, userId, kind: "legacy" });
  return secret;
}

// src/http/endpoint.ts
function endpoint(route2, handle, authorize) {
  return { kind: "transactional", route: route2, handle, authorize, load: void 0 };
}
function loadingEndpoint(route2, {
  load,
  handle
}) {
  return { kind: "transactional", route: route2, load, handle, authorize: void 0 };
}
function detachedEndpoint(route2, handle) {
  return { kind: "detached", route: route2, handle };
}
function absentEndpoint(route2) {
  return { kind: "absent", route: route2 };
}

// src/resources/credentials/credential-view.ts
function toCredentialView(row, now) {
  return {
    clientId: row.id,
    kind: row.kind,
    name: row.name,
    scopes: [...row.scopes],
    access: { mode: row.access_mode, trackerIds: [...row.tracker_ids] },
    defaultTrackerId: row.default_tracker_id,
    secretPrefix,
    secretLast4: row.secret_last4,
    status: credentialStatus(row, now),
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
    rotatedFrom: row.rotated_from,
    createdAt: row.created_at,
    revokedAt: row.revoked_at
  };
}
function credentialStatus(row, now) {
  if (row.revoked_at !== null) return "revoked";
  return new Date(row.expires_at) <= now ? "expired" : "active";
}

// src/resources/credentials/rotate-credential.ts
function decideRotation(request) {
  const { body, current, now, validityDaysMax } = request;
  if (current === void 0) throw notFound();
  if (current.kind === "legacy") {
    throw stateConflict("legacy", "A legacy key is not rotated; create an API key and delete this one.");
  }
  if (credentialStatus(current, now) !== "active") {
    throw stateConflict("not_active", "Only an active key is rotated; create a new one.");
  }
  const expiry = decideExpiry({ expiresAt: body.expiresAt, now, validityDaysMax });
  if (expiry.expiresAt === void 0) throw validationError([expiry.issue]);
  requireRoomForOneMore(request.unrevokedCount);
  return {
    name: body.name ?? current.name,
    scopes: current.scopes,
    accessMode: current.access_mode,
    trackerIds: current.tracker_ids,
    defaultTrackerId: current.default_tracker_id,
    createdAt: now,
    expiresAt: expiry.expiresAt,
    lineageId: current.lineage_id,
    rotatedFrom: current.id
  };
}

// src/resources/credentials/credentials.endpoints.ts
var apiKeyKinds = ["secure", "legacy"];
var integrationClientKinds = ["integration_client"];
function createCredentialsEndpoints(settings) {
  const validityDaysMax = settings.keyMaxValidityDays;
  async function list({ tx, principal }, kinds) {
    const rows = await listCredentials(tx, { userId: principal.userId, kinds });
    return { data: rows.map((row) => toCredentialView(row, settings.now())) };
  }
  async function add({ tx, principal, newId }, plan) {
    const { secret, ...kept2 } = makeSecret(settings.randomBytes);
    const id = newId();
    const { action, lineageId = id, rotatedFrom = null, ...credential } = plan;
    const row = await insertCredential(tx, {
      ...credential,
      ...kept2,
      id,
      lineageId,
      rotatedFrom,
      userId: principal.userId
    });
    return {
      data: { ...toCredentialView(row, settings.now()), secret },
      effect: { action, resourceType: "credential", resourceId: id, trackerId: null }
    };
  }
  async function revoke({ tx, principal }, target) {
    const { userId } = principal;
    if (await findCredential(tx, { userId, ...target }) === void 0) throw notFound();
    const isRevokedNow = await revokeCredential(tx, { userId, id: target.id });
    const effect = { action: target.action, resourceType: "credential", resourceId: target.id, trackerId: null };
    return isRevokedNow ? { data: null, effect } : { data: null };
  }
  return [
    endpoint(routes.listApiKeys, (request) => list(request, apiKeyKinds)),
    endpoint(routes.createApiKey, async (request) => {
      const facts = await loadCreateCredentialFacts(request.tx, { userId: request.principal.userId });
      const { body } = request;
      const plan = decideCredential({ kind: "secure", body, ...facts, now: settings.now(), validityDaysMax });
      return add(request, { ...plan, kind: "secure", action: "api_key.created" });
    }),
    endpoint(routes.rotateApiKey, async (request) => {
      const { tx, body, principal, pathParameters } = request;
      const { userId } = principal;
      const { unrevokedCount } = await loadCreateCredentialFacts(tx, { userId });
      const current = await findCredential(tx, { userId, id: pathParameters.clientId, kinds: apiKeyKinds });
      const plan = decideRotation({ body, current, unrevokedCount, now: settings.now(), validityDaysMax });
      return add(request, { ...plan, kind: "secure", action: "api_key.rotated" });
    }),
    endpoint(
      routes.revokeApiKey,
      (request) => revoke(request, { id: request.pathParameters.clientId, kinds: apiKeyKinds, action: "api_key.revoked" })
    ),
    endpoint(routes.listIntegrationClients, (request) => list(request, integrationClientKinds)),
    endpoint(routes.createIntegrationClient, async (request) => {
      const facts = await loadCreateCredentialFacts(request.tx, { userId: request.principal.userId });
      const { body } = request;
      const plan = decideCredential({
        kind: "integration_client",
        body,
        ...facts,
        now: settings.now(),
        validityDaysMax
      });
      return add(request, { ...plan, kind: "integration_client", action: "integration_client.created" });
    }),
    endpoint(
      routes.revokeIntegrationClient,
      (request) => revoke(request, {
        id: request.pathParameters.clientId,
        kinds: integrationClientKinds,
        action: "integration_client.revoked"
      })
    )
  ];
}

// src/commands/create-legacy-key.ts
var usage = `Usage: centavo-server legacy-key create --email E --name N --scopes a,b [--tracker ID]... [--expires-at T]
Without --tracker the key may use every tracker that its user is a member of, later ones too.
`;
async function createLegacyKeyCommand(place, words) {
  const asked = readWords(words);
  if (typeof asked === "string") {
    process.stderr.write(`${asked}
${usage}`);
    return 2;
  }
  const say = (line) => process.stderr.write(`${line}
`);
  return withOperatorDatabase({ ...place, say }, async (database, config) => {
    const secret = await database.transaction(
      { readOnly: false },
      (tx) => createLegacyKey(tx, {
        ...asked,
        now: /* @__PURE__ */ new Date(),
        newId: uuidv7,
        randomBytes: randomBytes3,
        keyMaxValidityDays: config.keyMaxValidityDays
      })
    ).catch((error) => {
      throw explain(error, asked.email);
    });
    process.stdout.write(`${secret}
`);
    return 0;
  });
}
function readWords(words) {
  try {
    const { values } = parseArgs({
      args: [...words],
      options: {
        email: { type: "string" },
        name: { type: "string" },
        scopes: { type: "string" },
        tracker: { type: "string", multiple: true },
        "expires-at": { type: "string" }
      }
    });
    if (values.email === void 0) return "--email is missing.";
    const { email, tracker: trackerIds, "expires-at": expiresAt } = values;
    const body = createIntegrationClientBody.safeParse({
      name: values.name,
      scopes: values.scopes?.split(","),
      ...trackerIds === void 0 ? {} : { access: { mode: "selected", trackerIds } },
      ...expiresAt === void 0 ? {} : { expiresAt }
    });
    if (body.success) return { email, body: body.data };
    const mistakes = body.error.issues.map((issue2) => mistakeOf2(issue2, values));
    return [...new Set(mistakes)].join("\n");
  } catch (error) {
    return error.message;
  }
}
function mistakeOf2({ path, message }, values) {
  const [field] = path;
  if (field === "name" && values.name === void 0) return "--name is missing.";
  if (field === "scopes") {
    if (values.scopes === void 0) return "--scopes is missing.";
    const unknown2 = values.scopes.split(",").filter((scope) => !scopes.includes(scope));
    const mistake = unknown2.length === 0 ? message : `${unknown2.map((scope) => JSON.stringify(scope)).join(", ")} is unknown`;
    return `--scopes: ${mistake}. The scopes are ${scopes.join(", ")}.`;
  }
  if (field === "access") {
    const given = values.tracker?.[Number(path[2])];
    return `--tracker${given === void 0 ? "" : ` ${given}`}: ${message}`;
  }
  return `--${field === "expiresAt" ? "expires-at" : String(field)}: ${message}`;
}
function explain(error, email) {
  const isUnknown = error instanceof ApiError && error.code === "NOT_FOUND" && error.details.resource === "user";
  return isUnknown ? new Error(`There is no user with the e-mail address ${email}.`, { cause: error }) : error;
}

// src/commands/database-url.ts
async function databaseUrlCommand(place) {
  try {
    const { databaseUrl, dataDir } = readConfig(place.env, place.defaultDataDir);
    const address = databaseUrl ?? await findRunningEmbeddedPostgres({ dataDir });
    if (address === void 0) {
      throw new Error(`No embedded PostgreSQL runs on ${dataDir}. Start a server on this DATA_DIR first.`);
    }
    process.stdout.write(`${address}
`);
    return 0;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}
`);
    return 1;
  }
}

// src/database/forget-sealed.queries.ts
async function forgetSealed(tx, prefix) {
  const signingKeys = await query(
    tx,
    `delete from identity.signing_keys where starts_with(private_jwk #>> '{}', :prefix) returning kid`,
    { prefix }
  );
  const pending = await query(
    tx,
    `update identity.totp set pending_secret = null
     where starts_with(pending_secret, :prefix) and not starts_with(secret, :prefix) returning user_id`,
    { prefix }
  );
  const deleted = await query(
    tx,
    `delete from identity.totp where starts_with(coalesce(secret, pending_secret), :prefix) returning user_id`,
    { prefix }
  );
  return { signingKeys: signingKeys.length, authenticators: pending.length + deleted.length };
}

// src/commands/forget-sealed.ts
var usage2 = `Usage: centavo-server forget-sealed KEYID
The start that is refused names the key: sealed with it are signing keys and authenticators. Their users enrol anew.
`;
async function forgetSealedCommand(place, words) {
  const [keyId, surplus] = words;
  if (keyId === void 0 || surplus !== void 0 || !/^[\w-]{8}$/.test(keyId)) {
    process.stderr.write(`forget-sealed is followed by the 8 characters that name a key.
${usage2}`);
    return 2;
  }
  const say = (line) => process.stderr.write(`${line}
`);
  return withOperatorDatabase({ ...place, say }, async (database, config) => {
    if (config.encryptionKeys.some(({ id }) => id === keyId)) {
      say(`ENCRYPTION_KEY holds the key ${keyId}, so it is not lost: start the server.`);
      return 1;
    }
    const forgotten = await database.transaction({ readOnly: false }, (tx) => forgetSealed(tx, sealedPrefix(keyId)));
    const { signingKeys, authenticators } = forgotten;
    if (signingKeys + authenticators === 0) {
      say(`Nothing is encrypted with the key ${keyId}.`);
      return 1;
    }
    process.stdout.write(
      `Forgot what was encrypted with the key ${keyId}: signing keys ${signingKeys}, authenticators ${authenticators}.
`
    );
    return 0;
  });
}

// src/commands/migrate.ts
async function migrateCommand(place) {
  const say = (line) => process.stdout.write(`${line}
`);
  try {
    const config = readConfig(place.env, place.defaultDataDir);
    const { applied, close } = await openDatabase({ config, migrations: place.migrations, say });
    say(applied.length === 0 ? "Nothing to apply; the database is up to date." : `Applied ${applied.join(", ")}.`);
    await close();
    return 0;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}
`);
    return 1;
  }
}

// src/commands/shard.ts
import { join as join9 } from "path";

// src/database/sharding/shard-database.ts
import pg7 from "pg";

// src/database/sharding/apply-sharding-rules.ts
import { readFile as readFile6 } from "fs/promises";
import { join as join8 } from "path";

// src/database/sharding/table-placement.ts
var tablePlacement = {
  /** One row is on one machine, chosen by its tracker_id; all rows of a tracker are on the same. */
  distributed: [
    "accounts",
    "cashboxes",
    "categories_in_use",
    "transfers",
    "movements",
    "budgets",
    "budget_lines",
    "idempotency_keys",
    "audit_events"
  ],
  /** Each machine has a copy, because rows of trackers refer to it. */
  reference: ["categories"],
  /** On the coordinator alone: who may do what, which every request asks first, and asks in one place. */
  local: [
    "trackers",
    "users",
    "members",
    "credentials",
    "user_audit_events",
    "identity.passwords",
    "identity.sessions",
    "identity.refresh_tokens",
    "identity.totp",
    "identity.signing_keys"
  ]
};

// src/database/sharding/apply-sharding-rules.ts
var files = ["0001_policies.sql", "0002_functions.sql"];
async function applyShardingRules(client, options) {
  const { rows } = await client.query(dropsOfForeignKeys, [
    [...tablePlacement.distributed, ...tablePlacement.reference]
  ]);
  for (const { statement } of rows) await client.query(statement);
  for (const name of files) {
    const sql = await readFile6(join8(options.directory, name), "utf8");
    for (const statement of splitStatements(sql)) await client.query(statement.sql);
  }
}
var dropsOfForeignKeys = `
  select format('alter table app.%I drop constraint %I', c.relname, k.conname) as statement
  from pg_constraint k
    join pg_class c on c.oid = k.conrelid
    join pg_class r on r.oid = k.confrelid
  where k.contype = 'f' and c.relnamespace = 'app'::regnamespace and c.relname = any ($1)
    and not (r.relnamespace = 'app'::regnamespace and r.relname = any ($1))
  order by 1`;

// src/database/sharding/require-citus.ts
async function requireCitus(client) {
  const { rows: extensions } = await client.query(`select from pg_extension where extname = 'citus'`);
  if (extensions.length === 0) {
    throw refusal(
      "this database has no Citus",
      `install it on every machine, run "create extension citus" in a database of this name on each, and name the others here with select citus_add_node('host', 5432)`
    );
  }
  const { rows: nodes } = await client.query(
    `select from pg_dist_node where isactive and shouldhaveshards and noderole = 'primary'`
  );
  if (nodes.length === 0) {
    throw refusal("Citus knows no machine that may hold shards", "name them with select citus_add_node('host', 5432)");
  }
  for (const role of ["centavo_app", "centavo_definer"]) await requireLogin(client, role);
}
async function requireLogin(client, role) {
  const { rowCount } = await client.query("select from pg_roles where rolname = $1 and rolcanlogin", [role]);
  if (rowCount === 0) {
    throw refusal(
      `the role ${role} may not log in on this machine`,
      `run "alter role ${role} login" here, which mends the other machines as well where it is there`
    );
  }
  await client.query("begin");
  try {
    await client.query(`set local role ${role}`);
    const { rows } = await client.query(
      `select format('%s:%s', nodename, nodeport) as node, result
       from run_command_on_workers('select 1') where not success order by 1`
    );
    const [first2] = rows;
    if (first2 === void 0) return;
    throw refusal(
      `there is no login as ${role} to ${rows.map(({ node }) => node).join(", ")} (${first2.result.trim()})`,
      `see that it runs; then run on each of them, connected to it, "alter role ${role} login", or where it is not there "set citus.enable_create_role_propagation = off; create role ${role} login", and let it in from this machine in the pg_hba.conf of each`
    );
  } finally {
    await client.query("rollback");
  }
}
function refusal(what, remedy) {
  return new Error(`Nothing was spread: ${what}. Let an administrator mend it: ${remedy}. See docs/scaling.md.`);
}

// src/database/sharding/shard-database.ts
async function shardDatabase(options) {
  const client = new pg7.Client({ connectionString: options.connectionString });
  client.on("error", () => {
  });
  try {
    await client.connect().catch((cause) => {
      throw new DatabaseAway(cause);
    });
    await requireCitus(client);
    return await shardInOneTransaction(client, options).catch((cause) => {
      const isForbidden = sqlStateOf(cause) === "42501";
      const remedy = isForbidden ? ". Run this once as a superuser; the server goes on with its own user" : "";
      throw new Error(`Nothing was changed: ${cause.message}${remedy}.`, { cause });
    });
  } finally {
    await client.end().catch(() => {
    });
  }
}
async function shardInOneTransaction(client, options) {
  await client.query("begin");
  await client.query(`select pg_advisory_xact_lock(hashtextextended('sharding', 4))`);
  await client.query(`set local citus.multi_shard_modify_mode = 'sequential'`);
  await applyShardingRules(client, options);
  const spread = await spreadTables(client);
  await client.query("commit");
  return spread;
}
async function spreadTables(client) {
  const { rows } = await client.query(
    "select c.relname as name from pg_dist_partition p join pg_class c on c.oid = p.logicalrelid"
  );
  const done = new Set(rows.map(({ name }) => name));
  const acts = actsOfSpreading.filter(({ name }) => !done.has(name));
  const foreignKeys = await dropForeignKeys(
    client,
    acts.map(({ name }) => name)
  );
  for (const { name, act } of acts) {
    await client.query(`alter table app.${name} no force row level security`);
    await client.query(act);
    await client.query(`alter table app.${name} force row level security`);
    await client.query(`select truncate_local_data_after_distributing_table('app.${name}')`);
  }
  for (const statement of foreignKeys) await client.query(statement);
  return acts.map(({ name }) => name);
}
var [first, ...others] = tablePlacement.distributed;
var actsOfSpreading = [
  ...tablePlacement.reference.map((name) => ({ name, act: `select create_reference_table('app.${name}')` })),
  { name: first, act: `select create_distributed_table('app.${first}', 'tracker_id', colocate_with => 'none')` },
  ...others.map((name) => ({
    name,
    act: `select create_distributed_table('app.${name}', 'tracker_id', colocate_with => 'app.${first}')`
  }))
];
async function dropForeignKeys(client, names) {
  const { rows } = await client.query(
    `select format('alter table app.%I drop constraint %I', c.relname, k.conname) as drop,
       format('alter table app.%I add constraint %I %s', c.relname, k.conname, pg_get_constraintdef(k.oid)) as add
     from pg_constraint k join pg_class c on c.oid = k.conrelid
     where k.contype = 'f' and c.relnamespace = 'app'::regnamespace and c.relname = any ($1)
     order by k.conname`,
    [names]
  );
  for (const { drop } of rows) await client.query(drop);
  return rows.map(({ add }) => add);
}

// src/commands/shard.ts
async function shardCommand(place) {
  const say = (line) => process.stdout.write(`${line}
`);
  try {
    const config = readConfig(place.env, place.defaultDataDir);
    const { databaseUrl } = config;
    if (databaseUrl === null) {
      throw new Error(
        "DATABASE_URL is not set. The embedded PostgreSQL has no Citus and cannot be spread over machines."
      );
    }
    const { close } = await openDatabase({ config, migrations: place.migrations, say });
    const directory = join9(place.migrations, "../sharding");
    const spread = await shardDatabase({ connectionString: databaseUrl, directory });
    say(spread.length === 0 ? "Every table was spread before; the rules are renewed." : `Spread ${spread.join(", ")}.`);
    await close();
    return 0;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}
`);
    return 1;
  }
}

// src/commands/start.ts
import cluster3 from "cluster";

// src/database/look-around.queries.ts
async function lookAround(tx) {
  const [login] = await query(
    tx,
    `select rolname as name, rolsuper or rolbypassrls as above from pg_roles where rolname = session_user`
  );
  await query(tx, `select set_config('role', 'centavo_definer', true)`);
  const [users] = await query(tx, "select exists (select from app.users) as exist");
  return { hasUsers: users?.exist === true, superuser: login?.above === true ? login.name : null };
}

// src/commands/next-stop-signal.ts
function nextStopSignal(source, { hangUpStops }) {
  if (!hangUpStops) source.on("SIGHUP", () => {
  });
  return new Promise((resolve4) => {
    let isStopping = false;
    for (const signal of ["SIGTERM", "SIGINT", ...hangUpStops ? ["SIGHUP"] : []]) {
      source.on(signal, () => {
        if (isStopping) source.exit(1);
        isStopping = true;
        resolve4(signal);
      });
    }
  });
}

// src/compose-server.ts
import { randomBytes as randomBytes4 } from "crypto";
import { availableParallelism } from "os";
import { setTimeout as sleep5 } from "timers/promises";
import { v7 as uuidv74 } from "uuid";

// src/access/local-date.ts
var formats = /* @__PURE__ */ new Map();
function localDate(moment, timeZone) {
  let format = formats.get(timeZone);
  if (format === void 0) {
    format = new Intl.DateTimeFormat("sv-SE", { timeZone, year: "numeric", month: "2-digit", day: "2-digit" });
    formats.set(timeZone, format);
  }
  return format.format(moment);
}

// src/access/access.queries.ts
async function enterRequest(tx, request) {
  const { isAlone = false, ...bindings } = request;
  const [row] = await query(
    tx,
    `select set_config('role', 'centavo_app', true),
       app.enter_request(:secretSha256, :issuer, :subject, cast(:sessionId as uuid), cast(:trackerId as uuid), :isWrite,
         :idempotencyKey) as facts, app.carry_context()`,
    bindings,
    { isLastRead: isAlone }
  );
  if (row === void 0) throw new Error("app.enter_request gave no row");
  const { tracker = null, ...facts } = row.facts;
  return { ...facts, tracker: tracker === null ? null : withMoment(tracker) };
}
function withMoment({ nowMs, ...tracker }) {
  return {
    ...tracker,
    get now() {
      return new Date(nowMs).toISOString();
    },
    get today() {
      return localDate(nowMs, tracker.timeZone);
    }
  };
}
async function enterReplica(tx, reading) {
  const [row] = await query(
    tx,
    `select set_config('role', 'centavo_app', true), set_config('lock_timeout', '2s', true),
       set_config('statement_timeout', '3s', true), set_config('idle_in_transaction_session_timeout', '10s', true),
       set_config('app.user_id', :userId, true), set_config('app.tracker_id', :trackerId, true),
       set_config('app.principal_root', :principalRoot, true),
       coalesce(pg_is_in_recovery() and pg_last_wal_replay_lsn() >= cast(:readAfter as pg_lsn)
         and app.current_tracker() is not null
         and not exists (select from pg_extension where extname = 'citus'), false) as is_enough`,
    reading,
    { answerMsMax: 1e3 }
  );
  return row?.is_enough === true;
}
async function noteCredentialUse(tx, credentialId) {
  await query(tx, `select set_config('role', 'centavo_app', true), app.note_credential_use(:credentialId)`, {
    credentialId
  });
}

// src/access/credential-use.ts
var intervalMs = 6e4;
var CredentialUse = class {
  #database;
  #now;
  #notedAt = /* @__PURE__ */ new Map();
  #writing = Promise.resolve();
  constructor(parts) {
    this.#database = parts.database;
    this.#now = parts.now;
  }
  /** Returns at once; what goes wrong is left for the next minute. */
  note(credentialId) {
    const now = this.#now();
    if (now - (this.#notedAt.get(credentialId) ?? Number.NEGATIVE_INFINITY) < intervalMs) return;
    this.#forgetOld(now);
    this.#notedAt.set(credentialId, now);
    this.#writing = this.#writing.then(() => this.#database.transaction({ readOnly: false }, (tx) => noteCredentialUse(tx, credentialId))).catch(() => {
      this.#notedAt.delete(credentialId);
    });
  }
  /** Resolves when everything noted so far is written. */
  settled() {
    return this.#writing;
  }
  #forgetOld(now) {
    for (const [id, notedAt] of this.#notedAt) {
      if (now - notedAt < intervalMs) return;
      this.#notedAt.delete(id);
    }
  }
};

// src/access/last-places.ts
var LastPlaces = class {
  #places = /* @__PURE__ */ new Map();
  #placesMax;
  constructor({ placesMax = 1e4 } = {}) {
    this.#placesMax = placesMax;
  }
  /** The place that was kept last, unless it was forgotten since. */
  find(caller) {
    return this.#places.get(caller);
  }
  /** Keeps a place; the caller whose place was kept longest gives way where there are too many. */
  keep(caller, place) {
    const known = this.#places.get(caller);
    if (known !== void 0 && known.userId === place.userId && known.trackerId === place.trackerId) return;
    const [oldest] = this.#places.keys();
    if (known === void 0 && oldest !== void 0 && this.#places.size >= this.#placesMax)
      this.#places.delete(oldest);
    this.#places.set(caller, place);
  }
  forget(caller) {
    this.#places.delete(caller);
  }
};

// src/database/log-replica-change.ts
function logReplicaChange(logger, change) {
  if (!change.isAway) {
    logger.info("The replica answers again.");
    return;
  }
  const { name, code } = change.error;
  logger.warn({ name, code }, "The replica does not answer: the primary answers all reads until it does.");
}

// src/database/open-replica.ts
var awayMs = 5e3;
var patience2 = { connectMs: 500, acquireMs: 1e3 };
function openReplica(options) {
  const { elapsedMs, onRead, onChange, onStatement } = options;
  const database = createDatabase({
    connectionString: options.connectionString,
    poolMax: options.poolMax,
    patience: patience2,
    ...onStatement === void 0 ? {} : { onStatement }
  });
  let isAway = false;
  let askAgainAtMs = 0;
  function note(change) {
    if (change.isAway) askAgainAtMs = elapsedMs() + awayMs;
    if (change.isAway === isAway) return;
    isAway = change.isAway;
    onChange(change);
  }
  function isLeftAlone() {
    if (!isAway || elapsedMs() >= askAgainAtMs) return false;
    onRead("away");
    return true;
  }
  return {
    isLeftAlone,
    async read({ enter, work }) {
      if (isLeftAlone()) return void 0;
      if (isAway) askAgainAtMs = elapsedMs() + awayMs;
      try {
        const result = await database.transaction(
          { readOnly: true },
          async (tx) => await enter(tx) ? await work(tx) : void 0
        );
        note({ isAway: false, error: null });
        onRead(result === void 0 ? "behind" : "answered");
        return result;
      } catch (error) {
        const isLost2 = isConnectionFailure(error);
        note({ isAway: isLost2, error });
        const isOurs = !isLost2 && sqlStateOf(error) === void 0;
        onRead(isLost2 ? "away" : isOurs ? "answered" : "failed");
        if (isOurs) throw error;
        return void 0;
      }
    },
    close: () => database.close()
  };
}

// src/database/ping.queries.ts
async function pingDatabase(database) {
  await database.transaction({ readOnly: true }, (tx) => query(tx, "select 1"));
  return true;
}

// src/database/prove-isolation.ts
async function proveIsolation(database) {
  await database.transaction({ readOnly: true }, async (tx) => {
    const faults2 = [...await findRoleFaults(tx), ...await findTableFaults(tx), ...await findVisibleRows(tx)];
    if (faults2.length > 0) {
      throw new Error(
        `Row-level security does not hold; refusing to start:
${faults2.map((f) => `  - ${f}`).join("\n")}`
      );
    }
  });
}
async function findRoleFaults(tx) {
  const rows = await query(
    tx,
    `select 'centavo_app is superuser or may bypass row-level security' as fault from pg_roles
       where rolname = 'centavo_app' and (rolsuper or rolbypassrls)
     union all
     select 'centavo_app is a member of ' || r.rolname from pg_roles r
       where r.rolname <> 'centavo_app' and pg_has_role('centavo_app', r.oid, 'member')
     union all
     select 'centavo_app owns ' || c.relname from pg_class c join pg_roles r on r.oid = c.relowner
       where r.rolname = 'centavo_app'
     union all
     select 'a definer function has no fixed search_path: ' || p.proname
       from pg_proc p join pg_namespace n on n.oid = p.pronamespace
       where n.nspname = 'app' and p.prosecdef
         and p.prosqlbody is null and not exists (select 1 from unnest(p.proconfig) setting where setting like 'search_path=%')`
  );
  return rows.map(({ fault }) => fault);
}
async function findTableFaults(tx) {
  const rows = await query(
    tx,
    `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = 'app' and c.relkind in ('r', 'p')
       and not (c.relrowsecurity and c.relforcerowsecurity and exists (select 1 from pg_policy p where p.polrelid = c.oid))`
  );
  return rows.map(({ name }) => `app.${name} is not under forced row-level security`);
}
async function findVisibleRows(tx) {
  const tables = await query(
    tx,
    `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = 'app' and c.relkind in ('r', 'p') and has_table_privilege('centavo_app', c.oid, 'select')
     order by 1`
  );
  if (tables.length === 0) return ["schema app has no table that centavo_app may read: are the migrations done?"];
  await query(
    tx,
    `select set_config('role', 'centavo_app', true), set_config('app.user_id', '', true), set_config('app.tracker_id', '', true),
       set_config('enable_seqscan', 'off', true)`
  );
  const counts = tables.map(
    ({ name }) => name === "categories" ? `select 'categories' as name, count(*)::int as rows from app.categories where scope <> 'system'` : `select '${name}' as name, count(*)::int as rows from app.${name}`
  );
  const visible = await query(tx, counts.join(" union all "));
  return visible.filter(({ rows }) => rows > 0).map(({ name }) => `app.${name} shows rows to a request without a caller`);
}

// src/http/create-app.ts
import { randomUUID as randomUUID6 } from "crypto";
import express from "express";
import helmet from "helmet";

// src/http/broken-body.ts
var faults = /* @__PURE__ */ new WeakMap();
var broken = Symbol("the body broke");
function breakBody(request, fault) {
  const first2 = faults.get(request) ?? fault;
  faults.set(request, first2);
  request.emit(broken, first2);
}
function untilBodyBreaks(request) {
  return new Promise((_resolve, reject) => {
    const known = faults.get(request);
    if (known !== void 0) reject(known);
    request.once(broken, reject);
  });
}
function announcesBody({ headers }) {
  return headers["transfer-encoding"] !== void 0 || Number(headers["content-length"] ?? 0) > 0;
}

// src/http/client-address.ts
import { isIP } from "net";
function clientAddress(request, proxyHops) {
  const socketAddress = request.socket.remoteAddress ?? "";
  if (proxyHops === 0) return socketAddress;
  const forwarded = (request.headersDistinct["x-forwarded-for"] ?? []).flatMap((line) => line.split(","));
  const entry = forwarded.slice(-proxyHops)[0] ?? "";
  const address = withoutPort(entry.trim());
  return isIP(address) === 0 ? socketAddress : address;
}
function withoutPort(entry) {
  return /^\[([^\]]+)\](?::\d+)?$/.exec(entry)?.[1] ?? /^([\d.]+):\d+$/.exec(entry)?.[1] ?? entry;
}

// src/http/connection-faults.ts
import { randomUUID as randomUUID5 } from "crypto";
import { STATUS_CODES } from "http";

// src/http/error-pages-router.ts
import { readFile as readFile7 } from "fs/promises";

// src/http/read-only-router.ts
import { Router } from "express";

// src/http/method-not-allowed.ts
function methodNotAllowed(allowed) {
  return new ApiError({
    code: "METHOD_NOT_ALLOWED",
    message: `This path answers ${allowed.join(", ")}.`,
    headers: { Allow: allowed.join(", ") }
  });
}

// src/http/read-only-router.ts
function readOnlyRouter(pages) {
  const router = Router({ strict: true, caseSensitive: true });
  for (const [path, handle] of Object.entries(pages)) {
    router.get(path, handle);
    router.all(path, () => {
      throw methodNotAllowed(["GET", "HEAD"]);
    });
  }
  return router;
}

// src/http/error-pages-router.ts
function errorPagePath(code) {
  return `/docs/errors/${code}`;
}
function errorPagesRouter() {
  const codes = Object.keys(errorCodes);
  return readOnlyRouter(Object.fromEntries(codes.map((code) => [errorPagePath(code), sendPage(code)])));
}
function sendPage(code) {
  return async (_request, response) => {
    const page2 = await readPage(`${code}.md`);
    response.setHeader("Cache-Control", "no-store, no-transform");
    response.setHeader("Content-Type", "text/markdown; charset=utf-8");
    response.setHeader("Content-Length", page2.length);
    response.end(page2);
  };
}
function readPage(name) {
  return readFile7(new URL(`errors/${name}`, import.meta.url)).catch(
    () => readFile7(new URL(`../../../../docs/errors/${name}`, import.meta.url))
  );
}

// src/http/error-answer.ts
function errorAnswer(error, requestId) {
  const apiError = error instanceof ApiError ? error : internalError(error);
  return {
    status: apiError.status,
    headers: { ...apiError.headers, Link: `<${errorPagePath(apiError.code)}>; rel="help"` },
    body: {
      error: { code: apiError.code, message: apiError.message, details: apiError.details },
      meta: { apiVersion, requestId }
    }
  };
}
function internalError(cause) {
  return new ApiError({
    code: "INTERNAL_ERROR",
    message: `Something went wrong inside the service. ${errorCodes.INTERNAL_ERROR.remedy}`,
    cause
  });
}

// src/http/connection-faults.ts
function clientFault(code) {
  if (code === "HPE_HEADER_OVERFLOW") {
    return new ApiError({ code: "REQUEST_HEADERS_TOO_LARGE", message: "The headers of the request are too large." });
  }
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") {
    return new ApiError({ code: "REQUEST_TIMEOUT", message: "The request did not arrive in time." });
  }
  if (code === "HPE_INVALID_EOF_STATE") {
    return new ApiError({ code: "REQUEST_TIMEOUT", message: "The request did not arrive whole." });
  }
  return validationError([{ path: "", code: "INVALID_FORMAT", message: "This is not a well-formed HTTP request." }]);
}
function tunnelFault() {
  return new ApiError({
    code: "METHOD_NOT_ALLOWED",
    message: "This server makes no tunnels.",
    headers: { Allow: "GET" }
  });
}
function expectationFault() {
  return validationError([
    { path: "header.Expect", code: "INVALID_FORMAT", message: 'Send "Expect: 100-continue" or leave the header out.' }
  ]);
}
function targetFault() {
  return validationError([
    { path: "", code: "INVALID_FORMAT", message: "Send a path from the root as the target, and one Host header." }
  ]);
}
function codingFault() {
  return validationError([
    { path: "header.Transfer-Encoding", code: "INVALID_FORMAT", message: "Send the body as it is, or chunked." }
  ]);
}
function closeWithFault(socket, fault) {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const requestId = randomUUID5();
  const answer = errorAnswer(fault, requestId);
  const body = JSON.stringify(answer.body);
  const head = [
    `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status] ?? "Error"}`,
    "Content-Type: application/json; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Cache-Control: no-store, no-transform",
    `X-Request-Id: ${requestId}`,
    ...Object.entries(answer.headers).map(([name, value]) => `${name}: ${value}`),
    "Connection: close"
  ];
  socket.end(`${head.join("\r\n")}\r
\r
${body}`, () => socket.destroy());
}

// src/http/docs-router.ts
import { readFile as readFile8 } from "fs/promises";
import { createRequire as createRequire2 } from "module";
import { dirname as dirname6, join as join10 } from "path";
function docsRouter() {
  let reference2;
  return readOnlyRouter({
    "/docs": (_request, response) => {
      response.setHeader("Content-Security-Policy", pagePolicy);
      send(response, "text/html", Buffer.from(page));
    },
    "/docs/start.js": (_request, response) => {
      send(response, "text/javascript", Buffer.from(startScript));
    },
    "/docs/reference.js": async (_request, response) => {
      reference2 ??= readFile8(referenceScriptPath());
      send(response, "text/javascript", await reference2);
    }
  });
}
var pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'"
].join("; ");
var page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Centavo API reference</title>
    <link rel="icon" href="data:,">
  </head>
  <body>
    <div id="reference"></div>
    <noscript>This page needs JavaScript. <a href="openapi.json">openapi.json</a> does not.</noscript>
    <script src="docs/reference.js"></script>
    <script src="docs/start.js"></script>
  </body>
</html>
`;
var startScript = `Scalar.createApiReference('#reference', {
  url: 'openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  proxyUrl: '',
  hideClientButton: true,
  showDeveloperTools: 'never',
  persistAuth: false,
  documentDownloadType: 'direct',
});
`;
function referenceScriptPath() {
  const entry = createRequire2(import.meta.url).resolve("@scalar/api-reference");
  return join10(dirname6(entry), "browser", "standalone.js");
}
function send(response, type, bytes) {
  response.setHeader("Cache-Control", "no-store, no-transform");
  response.setHeader("Content-Type", `${type}; charset=utf-8`);
  response.setHeader("Content-Length", bytes.length);
  response.end(bytes);
}

// src/http/express-messages.ts
import { IncomingMessage, ServerResponse } from "http";
function messagesOf(app) {
  class Request extends IncomingMessage {
  }
  class Response extends ServerResponse {
  }
  Object.setPrototypeOf(Request.prototype, app.request);
  Object.setPrototypeOf(Response.prototype, app.response);
  Object.assign(app, { request: Request.prototype, response: Response.prototype });
  return { IncomingMessage: Request, ServerResponse: Response };
}

// src/http/written-json.ts
var WrittenJson = class {
  text;
  constructor(text3) {
    this.text = text3;
  }
};

// src/http/send-json.ts
function sendJson(response, answer) {
  response.statusCode = answer.status;
  response.setHeader("Cache-Control", "no-store, no-transform");
  for (const [name, value] of Object.entries(answer.headers)) response.setHeader(name, value);
  if (answer.body === void 0) {
    response.end();
    return;
  }
  const text3 = toJson(answer.body);
  const bytes = Buffer.byteLength(text3);
  response.setHeader("Content-Type", "application/json; charset=utf-8");
  response.setHeader("Content-Length", bytes);
  response.end(text3, bytes === text3.length ? "latin1" : "utf8");
}
function toJson(body) {
  const { data, meta } = body;
  return data instanceof WrittenJson ? `{"data":${data.text},"meta":${JSON.stringify(meta)}}` : JSON.stringify(body);
}

// src/http/health.ts
function healthRouter(health) {
  return readOnlyRouter({
    "/health/live": (_request, response) => {
      sendJson(response, { status: 200, headers: {}, body: { status: "live" } });
    },
    "/health/ready": async (_request, response) => {
      const isReady = !health.isDraining() && await health.isReady().catch(() => false);
      sendJson(response, {
        status: isReady ? 200 : 503,
        headers: isReady ? {} : { "Retry-After": "1" },
        body: { status: isReady ? "ready" : health.isDraining() ? "draining" : "unavailable" }
      });
    }
  });
}

// src/http/route-template.ts
function routeTemplate(request, response) {
  const matched = request.route?.path;
  const template = response.locals.route ?? matched;
  return typeof template === "string" ? template : "unmatched";
}

// src/http/log-request.ts
function createRequestLog(logger) {
  return {
    finished: (entry) => logger.info(entry, "request"),
    failure({ requestId, status, error }) {
      if (error instanceof ApiError && status < 500) {
        logger.debug({ requestId, code: error.code, reason: error.internalReason }, "refused");
        return;
      }
      logger.error({ requestId, status, reason: describe(error) }, "failed");
    }
  };
}
function logRequest(log) {
  return (request, response, next) => {
    const startedAt = performance.now();
    response.on("close", () => {
      log.finished({
        requestId: response.locals.requestId,
        method: request.method,
        route: routeTemplate(request, response),
        status: response.headersSent ? response.statusCode : null,
        durationMs: Math.round((performance.now() - startedAt) * 10) / 10,
        ...response.writableFinished ? {} : { aborted: true }
      });
    });
    next();
  };
}
function describe(error) {
  if (!(error instanceof Error)) return "not an error";
  const { code, constraint } = error;
  return {
    name: error.name,
    code: typeof code === "string" ? code : void 0,
    constraint: typeof constraint === "string" ? constraint : void 0,
    internalReason: error instanceof ApiError ? error.internalReason : void 0,
    at: error.stack?.split("\n").filter((line) => /^\s+at /.test(line)).slice(0, 8),
    cause: error.cause === void 0 ? void 0 : describe(error.cause)
  };
}

// ../../packages/contracts/src/openapi/component-schemas.ts
import * as z32 from "zod";

// ../../packages/contracts/src/openapi/error-schemas.ts
import * as z30 from "zod";
function errorSchemaName(code) {
  const words = code.replace(/_ERROR$/, "").toLowerCase().split("_");
  return `${words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("")}Error`;
}
var issue = z30.looseObject({ path: z30.string(), code: z30.enum(issueCodes), message: z30.string() });
var nothing = z30.strictObject({});
var details = {
  VALIDATION_ERROR: z30.strictObject({ issues: z30.array(issue).min(1) }),
  STEP_UP_REQUIRED: z30.strictObject({ method: z30.literal("totp"), maxAgeSeconds: z30.int() }),
  INSUFFICIENT_SCOPE: z30.strictObject({ requiredScopes: z30.array(z30.enum(scopes)).min(1) }),
  INSUFFICIENT_ROLE: z30.strictObject({ requiredRole: z30.enum(roles2) }),
  TRACKER_FORBIDDEN: z30.strictObject({ trackerIds: z30.array(z30.string()) }),
  NOT_FOUND: z30.strictObject({ resource: z30.enum(["account", "cashbox", "category", "user"]).optional() }),
  VERSION_CONFLICT: z30.strictObject({ currentEtag: z30.string() }),
  STATE_CONFLICT: z30.strictObject({ reason: z30.enum(stateConflictReasons) }),
  PAYLOAD_TOO_LARGE: z30.strictObject({ maxBytes: z30.int() }),
  RATE_LIMITED: z30.strictObject({
    policy: z30.string(),
    limit: z30.int(),
    windowSeconds: z30.int(),
    retryAfterSeconds: z30.int()
  })
};
var errorMeta = z30.strictObject({ apiVersion: z30.literal(apiVersion), requestId: z30.uuid() });
function errorSchemas() {
  const codes = Object.keys(errorCodes);
  return Object.fromEntries(
    codes.map((code) => {
      const error = z30.strictObject({
        code: z30.literal(code),
        message: z30.string().min(1),
        details: details[code] ?? nothing
      });
      const { status, remedy } = errorCodes[code];
      const description = `${status} \`${code}\`. ${remedy} See docs/errors/${code}.md.`;
      return [errorSchemaName(code), z30.strictObject({ error, meta: errorMeta }).meta({ description })];
    })
  );
}

// ../../packages/contracts/src/openapi/json-schema.ts
import * as z31 from "zod";
function reference(kind, name) {
  return { $ref: `#/components/${kind}/${name}` };
}
function printerOptions(io) {
  return {
    io,
    override: ({ jsonSchema }) => {
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.format === "starts_with") delete jsonSchema.format;
      if (jsonSchema.format === "uuid" && jsonSchema.pattern?.includes("ffffffff")) delete jsonSchema.pattern;
    }
  };
}
function toJsonSchema(schema, io) {
  const { $schema: _, ...printed } = z31.toJSONSchema(schema, printerOptions(io));
  return printed;
}

// ../../packages/contracts/src/openapi/schema-texts.ts
var secretOnce = "The secret, in this answer and nowhere else.";
var fromAccount = "The account's if left out; another one is refused.";
var onlyCashbox = "The account's only eligible cashbox if left out.";
var today = "The tracker's today if left out; at most 366 days ahead.";
var everythingActual = "Null where the budget only plans.";
var schemaTexts = {
  Context: {
    text: "The effective tracker of a request and the principal.",
    fields: { activeTrackerId: "The effective tracker.", resolvedBy: "How the effective tracker was found." }
  },
  Tracker: {
    text: "A workspace, as the caller sees it.",
    fields: {
      role: "The caller's.",
      timeZone: "IANA; it decides what today is.",
      isActive: "Whether the principal has chosen it as active.",
      isDefault: "Whether the principal has chosen it as default."
    }
  },
  Member: { text: "A user's place in a tracker." },
  Account: {
    text: "A financial account; all its cashboxes keep its currency.",
    fields: { eligibleCashboxCount: "How many of its cashboxes take movements." }
  },
  AccountWithCashboxes: { text: "A new account with the cashboxes that came with it." },
  Cashbox: { text: "A part of an account.", fields: { isEligible: "Active, and in an active account." } },
  Balance: {
    text: "The balance of one active cashbox.",
    fields: { balanceDecimal: "Opening balance + incomes \u2212 expenses, transfers included; may be negative." }
  },
  Category: {
    text: "A category of the system, of a tracker or of a user.",
    fields: {
      isUnknown: "The one that a movement without a category gets.",
      trackerId: "Null unless it is the tracker's."
    }
  },
  Movement: {
    text: "An expense or income; the legs of a transfer are movements of kind `transfer`.",
    fields: {
      amountDecimal: "Always positive, with exactly the decimals of its currency; `type` has the sign.",
      categoryId: "Null for the legs of a transfer.",
      transferGroupId: "The transfer that this is a leg of.",
      source: "Who recorded it.",
      version: "Grows with each correction; the ETag follows from it."
    }
  },
  Transfer: { text: "Both movements of a transfer.", fields: { movements: "The outgoing one first." } },
  Budget: {
    text: "A budget in a list.",
    fields: { status: "Derived from the tracker's today.", periodEnd: "Included." }
  },
  BudgetDetail: {
    text: "A budget with its lines, its totals per type, and how far it is.",
    fields: { status: "Derived from the tracker's today.", periodEnd: "Included." }
  },
  BudgetLine: {
    text: "What is planned for a category and type.",
    fields: { actualDecimal: everythingActual, remainingDecimal: everythingActual }
  },
  Credential: {
    text: "An API key or an integration client, without its secret.",
    fields: { rotatedFrom: "The `clientId` of the key that it replaces.", lastUsedAt: "To the minute." }
  },
  CreatedCredential: { text: "A new credential with its secret.", fields: { secret: secretOnce } },
  User: { text: "A user of the embedded identity provider." },
  Session: {
    text: "A session with its tokens.",
    fields: { refreshToken: "Works once.", expiresAt: "Of the access token." }
  },
  Me: { text: "The user of the session." },
  TotpEnrolment: { text: "The seed of an authenticator app.", fields: { secret: `${secretOnce} Base32.` } },
  SteppedUp: { text: "An access token that carries the time of the one-time code." },
  CreateAccountInput: {
    text: "A new account.",
    fields: {
      currencyCode: "The tracker's if left out.",
      openingBalanceDecimal: "Not together with `cashboxes`.",
      cashboxes: "One named like the account if left out."
    }
  },
  CreateCategoryInput: {
    text: "A new category.",
    fields: { kind: "`any` if left out.", scope: "`tracker` if left out." }
  },
  CreateMovementInput: {
    text: "An expense or income.",
    fields: {
      currencyCode: fromAccount,
      cashboxId: onlyCashbox,
      categoryId: "The unknown category if left out.",
      occurredOn: today
    }
  },
  CorrectMovementInput: {
    text: "What is to be corrected; at least one field.",
    fields: { categoryId: "`null` moves it to the unknown category.", description: "`null` clears it." }
  },
  CreateTransferInput: {
    text: "A transfer between two cashboxes of one currency.",
    fields: {
      fromCashboxId: onlyCashbox,
      toCashboxId: onlyCashbox,
      currencyCode: "The accounts' if left out.",
      occurredOn: today
    }
  },
  CreateBudgetInput: {
    text: "A budget for a period, its first and last day included.",
    fields: { currencyCode: "The tracker's if left out.", mode: "`planning` has plans only, `tracking` also actuals." }
  },
  AddBudgetLineInput: { text: "A line of a budget.", fields: { type: "`expense` if left out." } },
  CreateApiKeyInput: {
    text: "A new API key.",
    fields: {
      access: "`selected` needs `trackerIds`, all of them managed by the caller; other modes take none.",
      defaultTrackerId: "One of those that the key may use.",
      expiresAt: "In 90 days if left out."
    }
  },
  CreateIntegrationClientInput: {
    text: "A new integration client.",
    fields: { access: "All its owner's memberships if left out.", expiresAt: "In 90 days if left out." }
  },
  RotateApiKeyInput: {
    text: "What the new key has otherwise than the old one.",
    fields: { expiresAt: "In 90 days if left out." }
  }
};

// ../../packages/contracts/src/openapi/component-schemas.ts
var requests = {
  ChooseTrackerInput: chooseTrackerBody,
  CreateTrackerInput: createTrackerBody,
  UpdateTrackerInput: updateTrackerBody,
  AddMemberInput: addMemberBody,
  ChangeMemberRoleInput: changeMemberRoleBody,
  CreateAccountInput: createAccountBody,
  CreateCashboxInput: createCashboxBody,
  RenameOrArchiveInput: updateAccountBody,
  CreateCategoryInput: createCategoryBody,
  CreateMovementInput: createMovementBody,
  CorrectMovementInput: correctMovementBody,
  CreateTransferInput: createTransferBody,
  CreateBudgetInput: createBudgetBody,
  AddBudgetLineInput: addBudgetLineBody,
  CreateApiKeyInput: createApiKeyBody,
  CreateIntegrationClientInput: createIntegrationClientBody,
  RotateApiKeyInput: rotateApiKeyBody,
  CreateUserInput: createUserBody,
  CreateSessionInput: createSessionBody,
  RefreshSessionInput: refreshSessionBody,
  TotpCodeInput: totpCodeBody
};
var records = {
  Context: contextRecord,
  Tracker: trackerRecord,
  Member: memberRecord,
  Account: accountRecord,
  AccountWithCashboxes: accountWithCashboxesRecord,
  Cashbox: cashboxRecord,
  Balance: balanceRecord,
  Category: categoryRecord,
  Movement: movementRecord,
  Transfer: transferRecord,
  Budget: budgetRecord,
  BudgetDetail: budgetDetailRecord,
  BudgetLine: budgetLineRecord,
  Credential: credentialRecord,
  CreatedCredential: createdCredentialRecord,
  User: userRecord,
  Session: sessionRecord,
  Me: meRecord,
  TotpEnrolment: totpEnrolmentRecord,
  SteppedUp: steppedUpRecord
};
var { idempotentReplay, pagination: pagination2, ...always } = successMeta.shape;
var metas = {
  Meta: z32.strictObject(always),
  PageMeta: z32.strictObject({ ...always, pagination: pagination2.unwrap() }),
  ReplayMeta: z32.strictObject({ ...always, idempotentReplay: idempotentReplay.unwrap() }),
  FirstOrReplayMeta: z32.strictObject({ ...always, idempotentReplay })
};
function componentSchemas() {
  return { ...print(requests, "input"), ...print({ ...records, ...metas, ...errorSchemas() }, "output") };
}
function schemaReference(schema) {
  if (schema instanceof z32.ZodArray) return { type: "array", items: schemaReference(schema.element) };
  const named = Object.entries({ ...requests, ...records }).find(([, candidate]) => candidate === schema);
  if (named === void 0) throw new Error("A route has a schema that is not named in component-schemas.ts.");
  return reference("schemas", named[0]);
}
function print(named, io) {
  const registry2 = z32.registry();
  for (const [id, schema] of Object.entries(named)) registry2.add(schema, { id });
  const uri = (id) => `#/components/schemas/${id}`;
  const { schemas } = z32.toJSONSchema(registry2, { ...printerOptions(io), uri });
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { $id: _, $schema: __, ...schema }]) => [name, withTexts(name, schema)])
  );
}
function withTexts(name, schema) {
  const told = schemaTexts[name];
  if (told === void 0) return schema;
  const properties = Object.entries(schema.properties ?? {}).map(([field, printed]) => {
    const text3 = told.fields?.[field];
    const description = [printed.description, text3].filter((part) => part !== void 0).join(" ");
    return [field, description === "" ? printed : { ...printed, description }];
  });
  return { ...schema, description: told.text, properties: Object.fromEntries(properties) };
}

// ../../packages/contracts/src/openapi/operation-texts.ts
var tagTexts = {
  context: "Who is calling, in which tracker; trackers and their members.",
  accounts: "Accounts, the cashboxes in them, and balances.",
  categories: "Categories of the system, of a tracker and of a user.",
  movements: "Expenses and incomes.",
  transfers: "Transfers between cashboxes: one operation, two movements.",
  budgets: "Budgets, their lines, and how far they are.",
  credentials: "API keys and integration clients.",
  identity: "The embedded identity provider: users, sessions and one-time codes."
};
var operationTexts = {
  getContext: ["Get the effective tracker and the principal"],
  setActiveTracker: ["Choose the active tracker", "Kept per user for sessions, per credential for secrets."],
  setDefaultTracker: ["Choose the default tracker", "Used where no tracker is active."],
  listTrackers: ["List the trackers that the caller may use"],
  createTracker: [
    "Create a tracker",
    "The caller becomes its owner. A user's first tracker becomes its default and active one."
  ],
  updateTracker: ["Rename a tracker or move its time zone"],
  listMembers: ["List the members of a tracker", "Any member may."],
  addMember: ["Add a member", "By e-mail address. Owners are added only by an owner."],
  changeMemberRole: ["Change a member's role", "Owners are changed only by an owner; the last one stays."],
  removeMember: [
    "Remove a member",
    "Everybody may leave but the last owner. Removing others asks for the role `admin`."
  ],
  listAccounts: ["List accounts", "All of them, archived ones included."],
  listCashboxes: ["List the cashboxes of an account"],
  listBalances: [
    "List balances",
    "One row per active cashbox of active accounts: opening balance + incomes \u2212 expenses, transfers included."
  ],
  createAccount: [
    "Create an account",
    "Without `cashboxes` one named like the account is made. `openingBalanceDecimal` and `cashboxes` exclude each other."
  ],
  updateAccount: ["Rename or archive an account"],
  createCashbox: ["Add a cashbox to an account"],
  updateCashbox: ["Rename or archive a cashbox"],
  listCategories: [
    "List categories",
    "The system's, the tracker's, the caller's own, and those of others that this tracker uses."
  ],
  getCategory: ["Get a category"],
  createCategory: [
    "Create a category",
    "The scope that is asked for follows from `scope` in the body: `catalog:write:tracker` or `catalog:write:user`."
  ],
  listMovements: [
    "List movements",
    "Newest first: by `occurredOn`, `createdAt`, `id`. `from` and `to` are inclusive. `cursor` excludes `offset`, `categoryId` excludes `categoryIds`. `total` is null unless `includeTotal=true`."
  ],
  createMovement: [
    "Record an expense or income",
    "Defaults: the account's currency and only eligible cashbox, the unknown category, the tracker's today. At most 366 days ahead."
  ],
  getMovement: ["Get a movement"],
  correctMovement: [
    "Correct a movement",
    "`null` clears a text, and moves the category to the unknown one. A replay is decided before `If-Match` is looked at. A leg of a transfer is refused with `STATE_CONFLICT`."
  ],
  createTransfer: [
    "Transfer between two cashboxes",
    "Both movements and both balances change at once, or nothing does. Both accounts have the same currency."
  ],
  getTransfer: ["Get a transfer with both its movements"],
  listBudgets: ["List budgets"],
  getBudget: ["Get a budget with lines, summary and progress"],
  createBudget: ["Create a budget", "`periodEnd` is not before `periodStart`."],
  addBudgetLine: ["Add a line to a budget", "A category and type stand in a budget once."],
  listApiKeys: ["List API keys", "The caller's own, expired and revoked ones included, newest first."],
  createApiKey: [
    "Create an API key",
    "The secret is in this answer and nowhere else. `trackerIds` is required with mode `selected` and forbidden otherwise. Without `expiresAt` the key lives 90 days."
  ],
  rotateApiKey: [
    "Rotate an API key",
    "A new key with the same scopes, access and default tracker; the old one stays active until it is revoked."
  ],
  revokeApiKey: ["Revoke an API key", "Nothing is done under the key after this answer. Again: 204 again."],
  listIntegrationClients: ["List integration clients", "The caller's own, newest first."],
  createIntegrationClient: [
    "Create an integration client",
    "Without `access` it may use all its owner's memberships. A one-time code is asked for where the operator says so."
  ],
  revokeIntegrationClient: ["Revoke an integration client", "Again: 204 again."],
  createUser: ["Register a user", "Refused with `STATE_CONFLICT` where registration is closed."],
  createSession: ["Log in"],
  refreshSession: ["Refresh a session", "A refresh token works once; using it again ends the session."],
  endSession: ["Log out", "Tokens of the session are refused from then on."],
  getMe: ["Get the user of the session"],
  enrolTotp: ["Enrol an authenticator app", "A second enrolment asks for a recent one-time code."],
  confirmTotp: ["Confirm the authenticator app", "The new access token carries the time of the code."],
  verifyTotp: ["Give a one-time code", "The new access token carries the time of the code. Each code works once."]
};

// ../../packages/contracts/src/openapi/parameters.ts
var idempotencyKeySchema = { type: "string", pattern: idempotencyKeyPattern.source, examples: ["coffee-1"] };
var idempotencyText = "One key for each intent. The same key with the same request is answered with the first answer";
var headerParameters = {
  TrackerId: {
    name: headerNames.trackerId,
    in: "header",
    required: false,
    description: "The tracker to act in. May be left out where only one is eligible, or, but for API keys, where an active or default tracker is chosen.",
    schema: { type: "string", format: "uuid" }
  },
  RequiredIdempotencyKey: {
    name: headerNames.idempotencyKey,
    in: "header",
    required: true,
    description: `${idempotencyText}; with another request it is refused.`,
    schema: idempotencyKeySchema
  },
  IdempotencyKey: {
    name: headerNames.idempotencyKey,
    in: "header",
    required: false,
    description: `${idempotencyText}; with another request it is refused. Without one nothing guards a retry.`,
    schema: idempotencyKeySchema
  },
  IfMatch: {
    name: headerNames.ifMatch,
    in: "header",
    required: true,
    description: "The strong ETag that the correction was decided on, or a list of them. `*` and weak ones are refused.",
    schema: { type: "string", pattern: '^\\s*"[^"]*"' }
  },
  IfNoneMatch: {
    name: headerNames.ifNoneMatch,
    in: "header",
    required: false,
    description: "ETags that the client has; 304 if the record still has one of them.",
    schema: { type: "string" }
  },
  ReadAfter: {
    name: headerNames.readAfter,
    in: "header",
    required: false,
    description: "Lets a replica answer that has seen everything up to there: what a write told, or `0/0` for whatever it has. Who leaves it out is answered with all that was written before.",
    schema: { type: "string", pattern: logPositionPattern.source, examples: ["0/16B3748"] }
  }
};
function parametersOf(route2) {
  const { call: call2 } = route2;
  const header = (name) => reference("parameters", name);
  return [
    ...[...call2.path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => pathParameter(name)),
    ...route2.query === null ? [] : queryParameters(route2.query),
    ...call2.tracker === "none" ? [] : [header("TrackerId")],
    ...call2.idempotency === "required" ? [header("RequiredIdempotencyKey")] : [],
    ...call2.idempotency === "accepted" ? [header("IdempotencyKey")] : [],
    ...call2.ifMatch === "required" ? [header("IfMatch")] : [],
    ...call2.method === "GET" && route2.versioned ? [header("IfNoneMatch")] : [],
    ...takesReadAfter(call2) ? [header("ReadAfter")] : []
  ];
}
function pathParameter(name) {
  const schema = name === "categoryId" ? { type: "string", pattern: categoryIdPattern.source } : { type: "string", format: "uuid" };
  return { name, in: "path", required: true, schema };
}
function queryParameters(query2) {
  const { properties, required = [] } = toJsonSchema(query2, "input");
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: "query",
    required: required.includes(name),
    ...description === void 0 ? {} : { description },
    // A list is one parameter with commas; a parameter that stands twice is refused.
    ...schema.type === "array" ? { style: "form", explode: false } : {},
    schema
  }));
}

// ../../packages/contracts/src/openapi/public-keys-operation.ts
var errors = ["REQUEST_HEADERS_TOO_LARGE", "INTERNAL_ERROR", "SERVICE_UNAVAILABLE"];
function publicKeysOperation() {
  const headers = { "X-Request-Id": reference("headers", "RequestId") };
  return {
    operationId: "getPublicKeys",
    tags: ["identity"],
    summary: "Get the public keys of the access tokens",
    description: "A JWK set (RFC 7517) as it is, without an envelope.\n\nNeeds no credential.",
    security: [],
    parameters: [],
    responses: {
      200: { description: "Done.", headers, content: { "application/json": { schema: keySet } } },
      ...Object.fromEntries(
        errors.map((code) => [
          errorCodes[code].status,
          {
            description: `\`${code}\`: ${errorCodes[code].remedy}`,
            headers: code === "SERVICE_UNAVAILABLE" ? { ...headers, "Retry-After": reference("headers", "RetryAfter") } : headers,
            content: { "application/json": { schema: reference("schemas", errorSchemaName(code)) } }
          }
        ])
      )
    }
  };
}
var text = { type: "string" };
var keySet = {
  type: "object",
  properties: {
    keys: {
      type: "array",
      items: {
        type: "object",
        properties: { kty: text, crv: text, x: text, y: text, kid: text, alg: text, use: { const: "sig" } },
        required: ["kty", "kid", "alg", "use"],
        additionalProperties: false
      }
    }
  },
  required: ["keys"],
  additionalProperties: false
};

// ../../packages/contracts/src/openapi/responses.ts
var text2 = { type: "string" };
var responseHeaders = {
  RequestId: {
    description: "The same as `meta.requestId`.",
    required: true,
    schema: { type: "string", format: "uuid" }
  },
  ETag: {
    description: "The version of the record, a strong tag.",
    required: true,
    schema: { ...text2, pattern: '^"[^"]+"$' }
  },
  Location: {
    description: "Where the record is found, from the root of the server.",
    required: true,
    schema: { ...text2, pattern: "^/v1/" }
  },
  RetryAfter: {
    description: "Whole seconds to wait before the next try.",
    required: true,
    schema: { ...text2, pattern: "^\\d+$" }
  },
  WwwAuthenticate: {
    description: "The Bearer challenge; with `STEP_UP_REQUIRED` it has `max_age` (RFC 9470).",
    required: true,
    schema: { ...text2, pattern: "^Bearer" }
  },
  RateLimitPolicy: {
    description: "The policy that counts this call, its limit `q` and window `w` in seconds. Told to identified principals.",
    schema: text2,
    example: '"writes";q=300;w=60'
  },
  RateLimit: {
    description: "What is left of that policy: `r` calls, and `t` seconds until there is one more.",
    schema: text2,
    example: '"writes";r=299;t=1'
  },
  ReadAfter: {
    description: "Where the log of the database ended once this was written. A read that takes it along sees this write, also where a replica answers. Told by servers that have a replica.",
    schema: { ...text2, pattern: logPositionPattern.source },
    example: "0/16B3748"
  }
};
function responsesOf(route2) {
  const { call: call2 } = route2;
  const honoursKey = call2.idempotency !== "ignored";
  const responses = {};
  if (call2.status === 204) {
    responses[204] = { description: "Done; there is no body.", headers: headersOf(route2, readAfterOf(route2)) };
  }
  if (call2.status === 200) {
    responses[200] = success(route2, {
      description: honoursKey ? "Done, now or at the first try; `meta.idempotentReplay` tells which." : "Done.",
      meta: route2.paginated ? "PageMeta" : honoursKey ? "FirstOrReplayMeta" : "Meta",
      headers: []
    });
  }
  if (call2.status === 201) {
    const headers = route2.location === null ? [] : [headerNames.location];
    responses[201] = success(route2, { description: "Created.", meta: "Meta", headers });
    if (honoursKey) {
      const description = "A replay: the answer of the first try, with this key; nothing was done now.";
      responses[200] = success(route2, { description, meta: "ReplayMeta", headers: [] });
    }
  }
  if (call2.method === "GET" && route2.versioned) {
    responses[304] = {
      description: "The record still has a version named in If-None-Match.",
      headers: headersOf(route2, [headerNames.etag])
    };
  }
  return { ...responses, ...errorResponses(route2), default: reference("responses", "OfAnyPath") };
}
function success(route2, answer) {
  if (route2.data === null) throw new Error(`${route2.call.name} answers ${route2.call.status} but has no data.`);
  const schema = {
    type: "object",
    properties: { data: schemaReference(route2.data), meta: reference("schemas", answer.meta) },
    required: ["data", "meta"],
    additionalProperties: false
  };
  const headers = [...answer.headers, ...route2.versioned ? [headerNames.etag] : [], ...readAfterOf(route2)];
  return { description: answer.description, headers: headersOf(route2, headers), ...json(schema) };
}
function readAfterOf({ call: call2 }) {
  return tellsReadAfter(call2) ? [headerNames.readAfter] : [];
}
var errorsOfAnyPath = ["METHOD_NOT_ALLOWED", "REQUEST_TIMEOUT", "REQUEST_HEADERS_TOO_LARGE"];
function responseOfAnyPath() {
  const texts = errorsOfAnyPath.map((code) => `${errorCodes[code].status} \`${code}\`: ${errorCodes[code].remedy}`);
  const schemas = errorsOfAnyPath.map((code) => reference("schemas", errorSchemaName(code)));
  const headers = { [headerNames.requestId]: reference("headers", "RequestId") };
  return { description: texts.join("\n\n"), headers, ...json({ anyOf: schemas }) };
}
function errorResponses(route2) {
  const byStatus = /* @__PURE__ */ new Map();
  for (const code of errorCodesOf(route2.call)) {
    const { status } = errorCodes[code];
    byStatus.set(status, [...byStatus.get(status) ?? [], code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => {
      const schemas = codes.map((code) => reference("schemas", errorSchemaName(code)));
      const description = codes.map((code) => `\`${code}\`: ${errorCodes[code].remedy}`).join("\n\n");
      const headers = headersOf(route2, errorHeaders(status), status !== errorCodes.PAYLOAD_TOO_LARGE.status);
      if (codes.includes("VERSION_CONFLICT")) headers[headerNames.etag] = sometimes("ETag");
      if (codes.includes("IDEMPOTENCY_IN_PROGRESS")) headers[headerNames.retryAfter] = sometimes("RetryAfter");
      return [status, { description, headers, ...json(schemas.length === 1 ? schemas[0] : { anyOf: schemas }) }];
    })
  );
}
function errorHeaders(status) {
  if (status === 401) return ["WWW-Authenticate"];
  return status === 429 || status === 503 ? [headerNames.retryAfter] : [];
}
function sometimes(name) {
  return { ...responseHeaders[name], required: false };
}
var componentOfHeader = {
  [headerNames.etag]: "ETag",
  [headerNames.location]: "Location",
  [headerNames.retryAfter]: "RetryAfter",
  [headerNames.readAfter]: "ReadAfter",
  "WWW-Authenticate": "WwwAuthenticate"
};
function headersOf(route2, names, knowsCaller = true) {
  const own = names.map((name) => [name, reference("headers", componentOfHeader[name] ?? name)]);
  const limited = route2.call.caller !== "anyone" && knowsCaller;
  return {
    [headerNames.requestId]: reference("headers", "RequestId"),
    ...Object.fromEntries(own),
    ...limited ? { "RateLimit-Policy": reference("headers", "RateLimitPolicy") } : {},
    ...limited ? { RateLimit: reference("headers", "RateLimit") } : {}
  };
}
function json(schema) {
  return { content: { "application/json": { schema } } };
}

// ../../packages/contracts/src/openapi/openapi-document.ts
function openApiDocument(options) {
  const { hasIdentity = true } = options;
  const paths = {};
  for (const route2 of Object.values(routes)) {
    if (route2.call.noun === "identity" && !hasIdentity) continue;
    const path = route2.call.base + route2.call.path;
    paths[path] = { ...paths[path], [route2.call.method.toLowerCase()]: toOperation(route2) };
  }
  if (hasIdentity) paths[jwksPath] = { get: publicKeysOperation() };
  return {
    openapi: "3.1.1",
    info: {
      title: "Centavo",
      version: options.version,
      license: { name: "MIT", identifier: "MIT" },
      description: introduction
    },
    servers: [{ url: options.serverUrl }],
    tags: Object.entries(tagTexts).filter(([name]) => name !== "identity" || hasIdentity).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: componentSchemas(),
      parameters: headerParameters,
      headers: responseHeaders,
      responses: { OfAnyPath: responseOfAnyPath() },
      securitySchemes: {
        session: {
          type: "http",
          scheme: "bearer",
          bearerFormat: "JWT",
          description: "The access token of a user session. It may do what the role of the user allows."
        },
        secret: {
          type: "http",
          scheme: "bearer",
          bearerFormat: "centavo_live_\u2026",
          description: "An API key or an integration client. It may do what its scopes and the role of its owner allow."
        }
      }
    }
  };
}
var introduction = [
  "Records expenses, incomes and transfers for programs that retry.",
  'Money is a decimal string in whole units, such as `"12.50"`; too many decimals are refused, never rounded.',
  "Unknown fields and unknown or repeated query parameters are refused.",
  "Texts are trimmed before they are measured, in Unicode code points; an empty one is `null`.",
  `A body is one JSON object of at most ${bodyBytesMax} bytes.`,
  'Every error answer links to a page on its code: `Link: </docs/errors/NOT_FOUND>; rel="help"`.'
].join("\n\n");
function toOperation(route2) {
  const { call: call2, body } = route2;
  const [summary, description] = operationTexts[call2.name];
  const content = body === null ? void 0 : { "application/json": { schema: schemaReference(body) } };
  return {
    operationId: call2.name,
    tags: [call2.noun],
    summary,
    description: [description, ...rightsTexts(call2)].filter((text3) => text3 !== void 0).join("\n\n"),
    security: securityOf(call2),
    parameters: parametersOf(route2),
    ...content === void 0 ? {} : { requestBody: { required: !route2.bodyOptional, content } },
    responses: responsesOf(route2)
  };
}
function securityOf({ caller, scopes: scopes2 }) {
  if (caller === "anyone") return [];
  if (caller === "user") return [{ session: [] }];
  return [{ session: [] }, ...scopes2.map((scope) => ({ secret: [scope] }))];
}
function rightsTexts({ caller, scopes: scopes2, role, stepUp }) {
  const texts = [];
  if (caller === "anyone") texts.push("Needs no credential.");
  if (caller === "user") texts.push("Takes a user session only.");
  if (scopes2.length > 0) texts.push(`Scope: ${scopes2.map((scope) => `\`${scope}\``).join(" or ")}.`);
  if (role !== null) texts.push(`Role in the tracker: \`${role}\` or more.`);
  if (stepUp) texts.push("Needs a recent one-time code and an active session.");
  return texts;
}

// src/version.ts
var serverVersion = "0.1.0";

// src/http/openapi-router.ts
function openApiRouter(house) {
  let body;
  return readOnlyRouter({
    "/openapi.json": (_request, response) => {
      body ??= openApiDocument({ serverUrl: "/", version: serverVersion, hasIdentity: house.hasIdentity });
      sendJson(response, { status: 200, headers: {}, body });
    }
  });
}

// src/http/read-incoming.ts
var singleHeaders = [
  headerNames.authorization,
  headerNames.idempotencyKey,
  headerNames.ifMatch,
  headerNames.trackerId,
  headerNames.readAfter
];
async function readIncoming(request) {
  const repeated = singleHeaders.filter((name) => (request.headersDistinct[name.toLowerCase()]?.length ?? 0) > 1);
  if (repeated.length > 0) {
    throw validationError(
      repeated.map((name) => ({
        path: `header.${name}`,
        code: "REPEATED_PARAMETER",
        message: "Send this header once."
      }))
    );
  }
  const one = (name) => request.headersDistinct[name.toLowerCase()]?.[0];
  const all = (name) => request.headersDistinct[name.toLowerCase()]?.join(", ");
  const url = request.url ?? "";
  const questionMark = url.indexOf("?");
  return {
    rawQuery: questionMark === -1 ? "" : url.slice(questionMark + 1),
    authorization: one(headerNames.authorization),
    trackerHeader: one(headerNames.trackerId),
    idempotencyKey: one(headerNames.idempotencyKey),
    ifMatch: one(headerNames.ifMatch),
    ifNoneMatch: all(headerNames.ifNoneMatch),
    readAfter: one(headerNames.readAfter),
    contentType: all("Content-Type"),
    contentEncoding: all("Content-Encoding"),
    body: await readBody(request)
  };
}
async function readBody(request) {
  if (!announcesBody(request)) return Buffer.alloc(0);
  if (Number(request.headers["content-length"] ?? 0) > bodyBytesMax) throw payloadTooLarge();
  return Promise.race([collectBody(request), untilBodyBreaks(request)]);
}
function collectBody(request) {
  return new Promise((resolve4, reject) => {
    const chunks = [];
    let bytes = 0;
    request.on("data", (chunk) => {
      bytes += chunk.length;
      if (bytes <= bodyBytesMax) {
        chunks.push(chunk);
        return;
      }
      request.pause();
      reject(payloadTooLarge());
    });
    request.on("end", () => resolve4(Buffer.concat(chunks)));
    request.on("error", (error) => {
      reject(error.code === "ECONNRESET" ? clientLeft() : error);
    });
  });
}
function clientLeft() {
  return new ApiError({
    code: "REQUEST_TIMEOUT",
    message: "The body did not arrive whole.",
    internalReason: "client closed the connection within the body"
  });
}
function payloadTooLarge() {
  return new ApiError({
    code: "PAYLOAD_TOO_LARGE",
    message: `Send a body of at most ${bodyBytesMax} bytes.`,
    details: { maxBytes: bodyBytesMax },
    // What is left of the body is not read, so the connection cannot serve another request.
    headers: { Connection: "close" }
  });
}

// src/access/bearer-token.ts
import { createHash as createHash6 } from "crypto";
var bearerPattern = /^Bearer ([A-Za-z0-9\-._~+/]+=*)$/i;
var tokenLengthMax = 8192;
var credentialInvalidText = `This credential is not valid. ${errorCodes.CREDENTIAL_INVALID.remedy}`;
function parseBearerToken(authorization) {
  const token2 = authorization === void 0 ? void 0 : bearerPattern.exec(authorization.trim())?.[1];
  if (token2 === void 0) {
    if (authorization !== void 0 && /^Bearer\s+\S/i.test(authorization)) throw credentialInvalid("malformed bearer");
    throw new ApiError({
      code: "UNAUTHENTICATED",
      message: 'Send "Authorization: Bearer <token>" with a session token or an API key.',
      headers: { "WWW-Authenticate": 'Bearer realm="centavo"' }
    });
  }
  if (isWellFormedSecret(token2)) return { kind: "secret", sha256: createHash6("sha256").update(token2).digest() };
  if (token2.length <= tokenLengthMax && token2.split(".").length === 3) return { kind: "jwt", token: token2 };
  throw credentialInvalid("neither a secret nor a JWT");
}
function credentialInvalid(internalReason, message = credentialInvalidText) {
  return refusedCredential({ code: "CREDENTIAL_INVALID", message, internalReason });
}
function refusedCredential(options) {
  return new ApiError({
    ...options,
    headers: { "WWW-Authenticate": `Bearer realm="centavo", error="invalid_token"` }
  });
}

// src/access/require-principal.ts
function requirePrincipal(facts) {
  const { user, credential } = facts;
  if (user === null) throw credentialInvalid("unknown secret or user");
  if (credential === null) {
    if (facts.sessionActive === false) {
      throw refusedCredential({
        code: "SESSION_INACTIVE",
        message: "This session has ended. Log in again.",
        internalReason: "session ended or unknown"
      });
    }
    return {
      type: "user",
      id: user.id,
      name: user.displayName ?? user.email ?? user.id,
      kind: null,
      scopes,
      expiresAt: null,
      userId: user.id,
      credentialId: null,
      activeTrackerId: user.activeTrackerId,
      defaultTrackerId: user.defaultTrackerId,
      root: facts.principalRoot
    };
  }
  if (credential.isRevoked) {
    throw refusedCredential({
      code: "CREDENTIAL_REVOKED",
      message: "This credential was revoked. Create a new one.",
      internalReason: "credential revoked"
    });
  }
  if (credential.isExpired) {
    throw refusedCredential({
      code: "CREDENTIAL_EXPIRED",
      message: "This credential has expired. Rotate or replace it.",
      internalReason: "credential expired"
    });
  }
  return {
    type: "integration_client",
    id: credential.id,
    name: credential.name,
    kind: credential.kind,
    scopes: credential.scopes,
    expiresAt: credential.expiresAt,
    userId: user.id,
    credentialId: credential.id,
    activeTrackerId: credential.activeTrackerId,
    defaultTrackerId: credential.defaultTrackerId,
    root: facts.principalRoot
  };
}

// src/access/with-new-user.ts
async function withNewUser(identity2, attempt) {
  try {
    return await attempt();
  } catch (error) {
    if (!(error instanceof UnknownUser) || identity2.keepsSessions) throw error;
    await identity2.addUser(error.claims);
    return attempt();
  }
}
var UnknownUser = class extends ApiError {
  claims;
  constructor(claims) {
    super({ code: "CREDENTIAL_INVALID", message: credentialInvalidText, internalReason: "unknown user" });
    this.claims = claims;
  }
};

// src/access/authenticate.ts
var nilUuid = "00000000-0000-0000-0000-000000000000";
async function readCredential(authorization, identity2) {
  const token2 = parseBearerToken(authorization);
  if (token2.kind === "secret") return { token: token2, claims: null, fingerprint: token2.sha256.toString("hex") };
  const claims = await identity2.verifyAccessToken(token2.token);
  return { token: token2, claims, fingerprint: `${claims.issuer} ${claims.subject}` };
}
async function authenticate(tx, request) {
  const { call: call2, presented } = request;
  const named = call2.tracker === "path" ? request.pathTrackerId ?? "" : request.trackerHeader;
  const trackerId = named === void 0 ? null : isUuid(named) ? named.toLowerCase() : nilUuid;
  const facts = await enterRequest(tx, {
    secretSha256: presented.token.kind === "secret" ? presented.token.sha256 : null,
    issuer: presented.claims?.issuer ?? null,
    subject: presented.claims?.subject ?? null,
    sessionId: request.keepsSessions ? presented.claims?.sessionId ?? null : null,
    trackerId,
    isWrite: call2.method !== "GET",
    idempotencyKey: request.idempotencyKey,
    isAlone: request.isAlone ?? false
  });
  if (facts.user === null && presented.claims !== null && !request.keepsSessions)
    throw new UnknownUser(presented.claims);
  return { principal: requirePrincipal(facts), facts };
}

// src/access/find-session-check.ts
function findSessionCheck(request) {
  const { identity: identity2, presented, call: call2 } = request;
  const { token: token2, claims } = presented;
  if (identity2.keepsSessions || token2.kind !== "jwt" || claims === null || !makesSecret(call2)) return void 0;
  return () => identity2.requireActiveSession({ token: token2.token, claims });
}
function makesSecret(call2) {
  return call2.stepUp || call2.noun === "credentials" && call2.method === "POST";
}

// src/limits/limit-errors.ts
function rateLimited({ rateLimit, nextTokenSeconds }) {
  const { policy, limit, windowSeconds } = rateLimit;
  return new ApiError({
    code: "RATE_LIMITED",
    message: `More than ${limit} ${subjects[policy]} in ${windowSeconds} seconds. Wait for Retry-After, then go on slower.`,
    details: { policy, limit, windowSeconds, retryAfterSeconds: nextTokenSeconds },
    headers: { "Retry-After": String(nextTokenSeconds) }
  });
}
var subjects = {
  reads: "reads",
  writes: "writes",
  admin: "changes of credentials",
  auth_failures: "refused credentials from this address"
};

// src/limits/to-address-block.ts
import { isIPv4, isIPv6 } from "net";
function toAddressBlock(address) {
  const [bare = ""] = address.split("%");
  if (!isIPv6(bare)) return bare;
  const dotted = bare.slice(bare.lastIndexOf(":") + 1);
  if (isIPv4(dotted) && /^(0*:)*:?ffff:/i.test(bare)) return dotted;
  const [head = "", tail] = bare.split("::");
  const groups = head === "" ? [] : head.split(":");
  const behind = tail === void 0 || tail === "" ? [] : tail.split(":");
  const behindLength = behind.length + (isIPv4(dotted) ? 1 : 0);
  const zeros = tail === void 0 ? 0 : 8 - groups.length - behindLength;
  const all = [...groups, ...Array(zeros).fill("0"), ...behind];
  const network = all.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${network.join(":")}::/64`;
}

// src/limits/limit-failed-credential.ts
var failures = /* @__PURE__ */ new Set([
  "CREDENTIAL_INVALID",
  "CREDENTIAL_EXPIRED",
  "CREDENTIAL_REVOKED",
  "SESSION_INACTIVE"
]);
async function limitFailedCredential(error, caller) {
  if (!(error instanceof ApiError && failures.has(error.code))) return error;
  const standing = await caller.limiter.spendFailure(toAddressBlock(caller.address));
  return standing === null || standing.isAllowed ? error : rateLimited(standing);
}

// src/writes/decide-replay.ts
function decideReplay(request) {
  const { facts, tracker } = request;
  const here = facts.storedAnswers.find((answer) => answer.trackerId === tracker.id);
  if (here !== void 0) {
    if (here.requestId === request.requestId) return { kind: "own", answer: here };
    if (here.fingerprint !== request.fingerprint.toString("hex")) {
      throw keyReused("This idempotency key belongs to a request with another body or path.");
    }
    return { kind: "replay", answer: here };
  }
  const elsewhere = facts.storedAnswers;
  if (elsewhere.length > 0) {
    if (!isTrackerExplicit(tracker) || elsewhere.some((answer) => !answer.trackerExplicit)) {
      throw keyReused(
        "This idempotency key was used in another tracker, and one of the two requests did not name its tracker."
      );
    }
  }
  return facts.keyLocked === false ? { kind: "twin_in_progress" } : { kind: "first" };
}
function isTrackerExplicit(tracker) {
  return tracker.resolvedBy === "header" || tracker.resolvedBy === "single";
}
function keyReused(reason) {
  const message = `${reason} ${errorCodes.IDEMPOTENCY_KEY_REUSED.remedy}`;
  return new ApiError({ code: "IDEMPOTENCY_KEY_REUSED", message });
}

// src/writes/record-write.queries.ts
async function recordAudit(tx, entry) {
  const { effect, principal } = entry;
  const bindings = {
    id: entry.id,
    userId: principal.userId,
    credentialId: principal.credentialId,
    action: effect.action,
    resourceType: effect.resourceType,
    resourceId: effect.resourceId,
    change: effect.change === void 0 ? null : JSON.stringify(effect.change),
    requestId: entry.requestId
  };
  if (effect.trackerId === null) {
    await query(
      tx,
      `insert into app.user_audit_events
         (user_id, id, credential_id, action, resource_type, resource_id, change, request_id)
       values (:userId, :id, :credentialId, :action, :resourceType, :resourceId, cast(:change as jsonb), :requestId)`,
      bindings
    );
    return;
  }
  await query(
    tx,
    `insert into app.audit_events
       (tracker_id, id, user_id, credential_id, action, resource_type, resource_id, change, request_id)
     values (:trackerId, :id, :userId, :credentialId, :action, :resourceType, :resourceId, cast(:change as jsonb), :requestId)`,
    { ...bindings, trackerId: effect.trackerId }
  );
}
var withAudit = `with audited as (
       insert into app.audit_events
         (tracker_id, id, user_id, credential_id, action, resource_type, resource_id, change, request_id)
       values (cast(:trackerId as uuid), cast(:auditId as uuid), cast(:userId as uuid), cast(:credentialId as uuid), :action,
         :resourceType, :resourceId, cast(:change as jsonb), cast(:requestId as uuid))
     )`;
async function recordKeyedWrite(tx, entry) {
  const { effect, principal, tracker } = entry;
  await query(
    tx,
    `${effect === null ? "" : withAudit}
     insert into app.idempotency_keys
       (tracker_id, principal_root, key, tracker_explicit, fingerprint, call_name, etag, data, request_id)
     values (cast(:trackerId as uuid), :root, :idempotencyKey, :trackerExplicit, :fingerprint, :callName, :etag,
       cast(:data as json), cast(:requestId as uuid))`,
    {
      trackerId: tracker.id,
      auditId: entry.auditId,
      userId: principal.userId,
      credentialId: principal.credentialId,
      action: effect?.action ?? "",
      resourceType: effect?.resourceType ?? "",
      resourceId: effect?.resourceId ?? "",
      change: effect?.change === void 0 ? null : JSON.stringify(effect.change),
      requestId: entry.requestId,
      root: principal.root,
      idempotencyKey: entry.idempotencyKey,
      trackerExplicit: isTrackerExplicit(tracker),
      fingerprint: entry.fingerprint,
      callName: entry.callName,
      etag: entry.etag,
      data: JSON.stringify(entry.data)
    }
  ).catch((error) => {
    if (violatedConstraint(error) === "idempotency_keys_pkey") throw new StaleFacts();
    throw error;
  });
}

// src/writes/repeat-until-decided.ts
var TwinInProgress = class extends Error {
  constructor() {
    super("A twin of this request is in progress");
    this.name = "TwinInProgress";
  }
};
var Misguessed = class extends Error {
  constructor() {
    super("What was expected of the caller is not so");
    this.name = "Misguessed";
  }
};
var databaseWaitMsMax = 3700;
var twinWaitMsMax = 5e3;
var failuresMax = 6;
var attemptMsMax = 1900;
async function repeatUntilDecided(request) {
  const { pace } = request;
  const startedAt = request.startedAt ?? pace.now();
  let answeredAt = pace.now();
  const leftMs = () => databaseWaitMsMax - (pace.now() - answeredAt);
  for (let failures2 = 0; ; ) {
    const attemptedAt = pace.now();
    try {
      return await request.attempt(leftMs());
    } catch (error) {
      if (error instanceof TwinInProgress) {
        if (pace.now() - startedAt >= twinWaitMsMax) throw inProgress();
        await pace.sleep(20 + 60 * pace.random());
        answeredAt = pace.now();
        continue;
      }
      if (error instanceof Misguessed) continue;
      failures2 += 1;
      const isUnknown = error instanceof CommitOutcomeUnknown;
      const mayRepeat = isRepeatable(error) || request.isKeyed && isUnknown;
      const hasHung = !isUnknown && hasWaitedInVain(error) && pace.now() - attemptedAt >= attemptMsMax;
      const pauseMs4 = 20 + 380 * pace.random();
      if (!mayRepeat || hasHung || failures2 >= failuresMax || leftMs() <= pauseMs4) throw publicError(error, request);
      await pace.sleep(pauseMs4);
    }
  }
}
function inProgress() {
  return new ApiError({
    code: "IDEMPOTENCY_IN_PROGRESS",
    message: "Another request with this idempotency key is still at work. Wait for Retry-After and repeat it.",
    headers: { "Retry-After": "1" }
  });
}
function publicError(error, { isKeyed }) {
  const again = isKeyed ? " Repeat the request with the same idempotency key." : "";
  if (error instanceof CommitOutcomeUnknown) {
    const message = "The connection to the database was lost while this was recorded, and it may have been." + (isKeyed ? again : " Look whether it is there before you repeat the request.");
    return serviceUnavailable({ internalReason: "commit outcome unknown", cause: error, message });
  }
  if (!isOutage(error)) return error;
  const options = { internalReason: "database away or busy", cause: error };
  return serviceUnavailable(
    isKeyed ? { ...options, message: `The service cannot answer right now.${again}` } : options
  );
}

// src/writes/request-fingerprint.ts
import { createHash as createHash7 } from "crypto";
function requestFingerprint(request) {
  const { method, route: route2, pathParameters, trackerId, body } = request;
  const text3 = canonicalJson(["v1", method, route2, pathParameters, trackerId, body ?? null]);
  return createHash7("sha256").update(text3).digest();
}
function canonicalJson(value, name = "") {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item)).join(",")}]`;
  if (value !== null && typeof value === "object") {
    const fields = Object.entries(value).filter(([, field]) => field !== void 0).sort(([a], [b]) => a < b ? -1 : 1).map(([key, field]) => `${JSON.stringify(key)}:${canonicalJson(field, key)}`);
    return `{${fields.join(",")}}`;
  }
  if (typeof value === "string" && name.endsWith("Decimal")) return JSON.stringify(canonicalAmount(value));
  return JSON.stringify(value);
}

// src/access/step-up.ts
var clockSkewSeconds = 30;
function requireRecentTotp(age) {
  if (!isRecentTotp(age)) throw stepUpRequired(age.maxAgeSeconds);
}
function isRecentTotp({ totpAtSeconds, nowSeconds, maxAgeSeconds }) {
  if (totpAtSeconds === null) return false;
  const ageSeconds = nowSeconds - totpAtSeconds;
  return ageSeconds <= maxAgeSeconds && ageSeconds >= -clockSkewSeconds;
}
function stepUpRequired(maxAgeSeconds) {
  const description = "A more recent one-time code is required";
  return new ApiError({
    code: "STEP_UP_REQUIRED",
    message: "This call needs a recent one-time code. Verify one and repeat the call with the new token.",
    details: { method: "totp", maxAgeSeconds },
    headers: {
      "WWW-Authenticate": `Bearer error="insufficient_user_authentication", error_description="${description}", max_age="${maxAgeSeconds}"`
    },
    internalReason: "no recent TOTP"
  });
}

// src/access/decide-access.ts
function decideAccess(request) {
  const { call: call2, principal, facts } = request;
  if (request.stepUp.isRequired && principal.type === "user") requireRecentTotp(request.stepUp);
  if (request.trackerHeader !== null && !isUuid(request.trackerHeader)) throw malformedTrackerHeader();
  requireTracker(call2, facts, request.trackerHeader);
  if (call2.caller === "user" && principal.type !== "user") {
    throw new ApiError({
      code: "USER_SESSION_REQUIRED",
      message: "This call takes the token of a user session; secrets cannot make it."
    });
  }
  if (call2.tracker === "path" && facts.tracker === null) throw notFound();
  requireScope(call2, principal, facts.tracker);
  if (call2.role !== null && facts.tracker !== null) requireRole(facts.tracker.role, call2.role);
  return { principal, tracker: facts.tracker, eligibleTrackerIds: facts.eligibleTrackerIds };
}
function requireRole(role, least) {
  if (roleReaches(role, least)) return;
  throw new ApiError({
    code: "INSUFFICIENT_ROLE",
    message: `This needs the role ${least} in the tracker.`,
    details: { requiredRole: least }
  });
}
function requireAnyScope(request) {
  const held = request.scopes.filter((scope) => request.principal.scopes.includes(scope));
  if (held.length === 0) {
    throw new ApiError({
      code: "INSUFFICIENT_SCOPE",
      message: `This needs the scope ${request.scopes.join(" or ")}.`,
      details: { requiredScopes: request.scopes }
    });
  }
  const { tracker } = request;
  if (tracker === null) return;
  const needed = held.map((scope) => roleOfScope[scope]);
  if (needed.some((role) => role === null || roleReaches(tracker.role, role))) return;
  requireRole(tracker.role, needed.find((role) => role !== null) ?? "viewer");
}
function requireTracker(call2, facts, trackerHeader) {
  if (trackerHeader !== null && !facts.eligibleTrackerIds.includes(trackerHeader.toLowerCase())) {
    throw trackerForbidden([trackerHeader.toLowerCase()]);
  }
  if (call2.tracker !== "required" || facts.tracker !== null) return;
  if (facts.eligibleTrackerIds.length === 0) throw trackerForbidden([]);
  const chosen = facts.credential?.kind === "secure" ? null : facts.chosenTrackerId;
  if (chosen !== null) throw trackerForbidden([chosen]);
  throw validationError([
    {
      path: "header.X-Service-Tracker-Id",
      code: "TRACKER_HEADER_REQUIRED",
      message: "Several trackers are eligible; name one in the X-Service-Tracker-Id header. GET /trackers lists them."
    }
  ]);
}
function malformedTrackerHeader() {
  return validationError([
    { path: "header.X-Service-Tracker-Id", code: "INVALID_FORMAT", message: "Send a tracker UUID in this header." }
  ]);
}
function requireScope(call2, principal, tracker) {
  if (call2.scopes.length > 0) requireAnyScope({ scopes: call2.scopes, principal, tracker });
}

// src/http/admit-call.ts
async function admitCall(tx, asking) {
  const { server, served, presented } = asking;
  const { call: call2 } = served.endpoint.route;
  const { principal, facts } = await identifyCaller(tx, asking);
  const access = decideAccess({
    call: call2,
    principal,
    facts,
    trackerHeader: trackerHeaderOf(served) ?? null,
    stepUp: {
      isRequired: call2.stepUp || server.stepUpCalls.has(call2.name),
      totpAtSeconds: presented.claims?.totpAtSeconds ?? null,
      nowSeconds: Math.floor(server.now().getTime() / 1e3),
      maxAgeSeconds: server.stepUpMaxAgeSeconds
    }
  });
  return { access, facts };
}
async function identifyCaller(tx, asking) {
  const { server, served, presented } = asking;
  const authenticating = authenticate(tx, {
    call: served.endpoint.route.call,
    presented,
    keepsSessions: server.identity.keepsSessions,
    trackerHeader: trackerHeaderOf(served),
    pathTrackerId: served.pathParameters.trackerId,
    idempotencyKey: asking.idempotencyKey,
    isAlone: asking.isAlone ?? false
  });
  if (tx.isUnderWay) asking.onEntering?.();
  const authenticated = await authenticating;
  await asking.meter(authenticated.principal);
  return authenticated;
}
function trackerHeaderOf({ endpoint: endpoint2, incoming }) {
  return endpoint2.route.call.tracker === "none" ? void 0 : incoming.trackerHeader;
}

// src/http/load-ahead.ts
async function admitLoading(tx, { asking, valid }) {
  const { served, presented, server } = asking;
  const { endpoint: endpoint2 } = served;
  if (endpoint2.kind === "detached" || endpoint2.load === void 0 || valid === null) return admitCall(tx, asking);
  const load = async (request) => endpoint2.load?.(request);
  const caller = `${endpoint2.route.call.name} ${presented.fingerprint} ${served.incoming.trackerHeader ?? ""}`;
  const expected = server.lastPlaces.find(caller);
  let loaded;
  const onEntering = () => {
    if (expected === void 0) return;
    loaded = load({ tx, ...expected, ...valid, pathParameters: served.pathParameters });
    loaded.catch(() => {
    });
  };
  try {
    const admitted = await admitCall(tx, { ...asking, onEntering });
    const { principal, tracker } = admitted.access;
    const place = { userId: principal.userId, trackerId: tracker?.id ?? "" };
    if (expected !== void 0 && (expected.userId !== place.userId || expected.trackerId !== place.trackerId)) {
      throw new Misguessed();
    }
    server.lastPlaces.keep(caller, place);
    return loaded === void 0 ? admitted : { ...admitted, loaded };
  } catch (error) {
    if (error instanceof ApiError || error instanceof Misguessed) server.lastPlaces.forget(caller);
    throw error;
  }
}

// src/limits/rate-limit-headers.ts
function toRateLimitHeaders({ rateLimit, remaining, nextTokenSeconds }) {
  const { policy, limit, windowSeconds } = rateLimit;
  return {
    [headerNames.rateLimitPolicy]: `"${policy}";q=${limit};w=${windowSeconds}`,
    [headerNames.rateLimit]: `"${policy}";r=${remaining};t=${nextTokenSeconds}`
  };
}

// src/http/meter-call.ts
function meterCall(request) {
  const { limiter, call: call2, announce } = request;
  let metered;
  const take = async (principal) => {
    const standing = await limiter.spendCall({ principal, call: call2 });
    if (standing === null) return;
    announce(toRateLimitHeaders(standing));
    if (!standing.isAllowed) throw rateLimited(standing);
  };
  return (principal) => {
    metered ??= take(principal);
    return metered;
  };
}

// src/http/read-from-replica.ts
async function readFromReplica(reading) {
  const { asking, database, readAfter, perform: perform2 } = reading;
  const { replica } = asking.server;
  if (replica === null || readAfter === null || replica.isLeftAlone()) return void 0;
  const admitted = await database.transaction({ readOnly: true }, (tx) => admitCall(tx, { ...asking, isAlone: true }));
  const { principal, tracker } = admitted.access;
  if (tracker === null) return void 0;
  const context = { userId: principal.userId, trackerId: tracker.id, principalRoot: principal.root, readAfter };
  return replica.read({ enter: (tx) => enterReplica(tx, context), work: (tx) => perform2(tx, admitted) });
}

// src/http/entity-tags.ts
var entityTag = /^"[\x21\x23-\x7e]*"$/;
function parseIfMatch(header) {
  const tags = splitTags(header);
  return tags.length > 0 && tags.every((tag) => entityTag.test(tag)) ? tags : void 0;
}
function matchesIfNoneMatch(header, etag) {
  if (header === void 0) return false;
  if (header.trim() === "*") return true;
  return splitTags(header).some((tag) => tag.replace(/^W\//, "") === etag);
}
function splitTags(header) {
  return (header.match(/(?:[^,"]|"[^"]*"?)+/g) ?? []).map((tag) => tag.trim()).filter((tag) => tag !== "");
}

// src/http/success-answer.ts
function storedAnswer(served, decision, trackerId) {
  const { data, etag } = decision.answer;
  const outcome = etag === null ? { data } : { data, etag };
  if (decision.kind === "own") return successAnswer(served, { outcome, trackerId });
  const answer = successAnswer(served, { outcome, trackerId, isReplay: true });
  return { ...answer, status: 200 };
}
function successAnswer(served, result) {
  const { route: route2 } = served.endpoint;
  const { outcome } = result;
  const headers = {};
  if (outcome.etag !== void 0) headers.ETag = outcome.etag;
  if (route2.location !== null && result.isReplay !== true) {
    headers.Location = route2.location(outcome.data, served.pathParameters);
  }
  if (route2.call.method === "GET" && outcome.etag !== void 0) {
    if (matchesIfNoneMatch(served.incoming.ifNoneMatch, outcome.etag)) return { status: 304, headers, body: void 0 };
  }
  if (route2.call.status === 204) return { status: 204, headers, body: void 0 };
  const meta = {
    apiVersion,
    requestId: served.requestId,
    trackerId: outcome.trackerId === void 0 ? result.trackerId : outcome.trackerId,
    ...result.isReplay === true ? { idempotentReplay: true } : {},
    ...outcome.pagination === void 0 ? {} : { pagination: outcome.pagination }
  };
  return { status: route2.call.status, headers, body: { data: outcome.data, meta } };
}

// src/http/parse-json.ts
var depthMax = 16;
function parseJson(body) {
  let text3;
  try {
    text3 = new TextDecoder("utf-8", { fatal: true }).decode(body);
  } catch {
    return malformed("The body is not valid UTF-8.");
  }
  let value;
  try {
    value = JSON.parse(text3);
  } catch {
    return malformed("The body is not valid JSON.");
  }
  if (value === null || typeof value !== "object" || Array.isArray(value)) {
    return malformed("Send one JSON object as the body.");
  }
  const fault = findStructuralFault(text3);
  if (fault !== void 0) return malformed(fault);
  return { ok: true, value };
}
function malformed(message) {
  return { ok: false, issue: { path: "", code: "MALFORMED_JSON", message } };
}
var tokens = /"(?:[^"\\]|\\.)*"|[{}[\]:,]/g;
function findStructuralFault(text3) {
  const levels = [];
  let lastString = "";
  for (const [token2] of text3.matchAll(tokens)) {
    if (token2.startsWith('"')) {
      lastString = token2;
    } else if (token2 === "{" || token2 === "[") {
      levels.push(token2 === "{" ? /* @__PURE__ */ new Set() : null);
      if (levels.length > depthMax) return `The body is nested deeper than ${depthMax} levels.`;
    } else if (token2 === "}" || token2 === "]") {
      levels.pop();
    } else if (token2 === ":") {
      const key = JSON.parse(lastString);
      if (key === "__proto__") return 'The key "__proto__" is not allowed.';
      const keys = levels.at(-1);
      if (keys?.has(key)) return "A key stands twice in one object of the body.";
      keys?.add(key);
    }
  }
  return void 0;
}

// src/http/validation-issues.ts
function toIssues(error, prefix) {
  return error.issues.flatMap((finding) => {
    const path = prefix + finding.path.map(String).join(".");
    if (finding.code === "unrecognized_keys") {
      return finding.keys.map((key) => ({
        path: path === "" || path.endsWith(".") ? path + key : `${path}.${key}`,
        code: "UNKNOWN_FIELD",
        message: "This field is not known here; check its spelling or leave it out."
      }));
    }
    const code = codeOf(finding);
    return [{ path, code, message: messageOf(finding, code) }];
  });
}
function codeOf(finding) {
  if (finding.code === "custom") {
    return finding.params?.code ?? "INVALID_FORMAT";
  }
  if ((finding.code === "invalid_type" || finding.code === "invalid_value") && finding.input === void 0) {
    return "REQUIRED";
  }
  if (finding.code === "too_big") return finding.origin === "string" ? "TOO_LONG" : "OUT_OF_RANGE";
  if (finding.code === "too_small") return "REQUIRED";
  return "INVALID_FORMAT";
}
function messageOf(finding, code) {
  if (finding.code === "too_big") return `Send at most ${count(finding.maximum, finding.origin)}.`;
  if (finding.code === "too_small") return `Send at least ${count(finding.minimum, finding.origin)}.`;
  if (code === "REQUIRED" && finding.code !== "custom") return "This field is required.";
  if (finding.code === "invalid_value") return `Send one of: ${finding.values.map(String).join(", ")}.`;
  if (finding.code === "invalid_type") return `Send a JSON ${finding.expected}.`;
  return finding.message;
}
function count(bound, origin) {
  const [one, many] = origin === "string" ? ["character", "characters"] : ["entry", "entries"];
  return `${bound} ${Number(bound) === 1 ? one : many}`;
}

// src/http/validate-request.ts
function validateRequest(request) {
  const { route: route2, incoming } = request;
  const issues = [];
  const query2 = validateQuery(route2, incoming.rawQuery, issues);
  let body;
  if (takesBody(route2)) {
    const mediaTypeError = findMediaTypeError(route2, incoming);
    if (mediaTypeError !== void 0) return { ok: false, error: mediaTypeError };
    body = validateBody(route2, incoming.body, issues);
  }
  const idempotencyKey = validateIdempotencyKey(route2, incoming.idempotencyKey, issues);
  const ifMatch = validateIfMatch(route2, incoming.ifMatch, issues);
  const readAfter = validateReadAfter(route2, incoming.readAfter, issues);
  if (issues.length > 0) return { ok: false, error: validationError(issues) };
  if (!pathIsWellFormed(request.pathParameters)) return { ok: false, error: notFound() };
  return { ok: true, request: { query: query2, body, idempotencyKey, ifMatch, readAfter } };
}
function takesBody(route2) {
  return route2.call.method !== "GET" && route2.call.method !== "DELETE";
}
function pathIsWellFormed(parameters2) {
  return Object.entries(parameters2).every(
    ([name, value]) => name === "categoryId" ? isCategoryId(value) : isUuid(value)
  );
}
function findMediaTypeError(route2, incoming) {
  const mayBeEmpty = route2.body === null || route2.bodyOptional;
  if (incoming.body.length === 0 && (mayBeEmpty || incoming.contentType === void 0)) return void 0;
  const encoding = incoming.contentEncoding?.trim().toLowerCase() ?? "identity";
  const [type, ...parameters2] = (incoming.contentType ?? "").split(";").map((part) => part.trim().toLowerCase());
  const parametersAreFine = parameters2.every((parameter) => /^charset="?utf-8"?$/.test(parameter) || parameter === "");
  if (encoding === "identity" && type === "application/json" && parametersAreFine) return void 0;
  return new ApiError({
    code: "UNSUPPORTED_MEDIA_TYPE",
    message: 'Send the body as "Content-Type: application/json", in UTF-8 and without Content-Encoding.'
  });
}
function validateBody(route2, bytes, issues) {
  const mayBeEmpty = route2.body === null || route2.bodyOptional;
  const parsed = mayBeEmpty && bytes.length === 0 ? { ok: true, value: {} } : parseJson(bytes);
  if (!parsed.ok) {
    issues.push(parsed.issue);
    return void 0;
  }
  if (route2.body === null) {
    for (const key of Object.keys(parsed.value)) {
      issues.push({ path: key, code: "UNKNOWN_FIELD", message: "This call takes no body." });
    }
    return void 0;
  }
  const result = route2.body.safeParse(parsed.value, { reportInput: true });
  if (!result.success) issues.push(...toIssues(result.error, ""));
  return result.data;
}
function validateQuery(route2, rawQuery, issues) {
  const values = /* @__PURE__ */ new Map();
  for (const [name, value] of new URLSearchParams(rawQuery)) {
    const path = `query.${name}`;
    if (values.has(name)) {
      issues.push({ path, code: "REPEATED_PARAMETER", message: "Send this parameter once." });
    } else if (route2.query === null) {
      issues.push({ path, code: "UNKNOWN_FIELD", message: "This call takes no query parameters." });
    }
    values.set(name, value);
  }
  if (route2.query === null) return void 0;
  const result = route2.query.safeParse(Object.fromEntries(values), { reportInput: true });
  if (!result.success) issues.push(...toIssues(result.error, "query."));
  return result.data;
}
function validateIdempotencyKey(route2, key, issues) {
  if (route2.call.idempotency === "ignored") return null;
  const path = `header.${headerNames.idempotencyKey}`;
  if (key === void 0) {
    if (route2.call.idempotency === "required") {
      issues.push({
        path,
        code: "IDEMPOTENCY_KEY_REQUIRED",
        message: "Send an Idempotency-Key of your choice, the same on every try of this one intent."
      });
    }
    return null;
  }
  if (key.length > idempotencyKeyLengthMax) {
    issues.push({ path, code: "TOO_LONG", message: `Send at most ${idempotencyKeyLengthMax} characters.` });
  } else if (!idempotencyKeyPattern.test(key)) {
    issues.push({ path, code: "INVALID_FORMAT", message: "Send 1\u2013200 printable ASCII characters." });
  }
  return key;
}
function validateIfMatch(route2, header, issues) {
  if (route2.call.ifMatch === "ignored") return [];
  const path = `header.${headerNames.ifMatch}`;
  if (header === void 0) {
    issues.push({ path, code: "IF_MATCH_REQUIRED", message: "Fetch the record and send its ETag as If-Match." });
    return [];
  }
  const tags = parseIfMatch(header);
  if (tags === void 0) {
    issues.push({
      path,
      code: "INVALID_FORMAT",
      message: "Send the strong ETag exactly as it was received, quotes included."
    });
  }
  return tags ?? [];
}
function validateReadAfter(route2, header, issues) {
  if (header === void 0 || !takesReadAfter(route2.call)) return null;
  if (logPositionPattern.test(header)) return header;
  const message = "Send it as a write told it, or 0/0 where anything will do.";
  issues.push({ path: `header.${headerNames.readAfter}`, code: "INVALID_FORMAT", message });
  return null;
}

// src/http/serve-call.ts
async function serveCall(server, served) {
  try {
    return await answerCall(server, served);
  } catch (error) {
    throw await limitFailedCredential(error, { limiter: server.limiter, address: served.address });
  }
}
async function answerCall(server, served) {
  const { route: route2 } = served.endpoint;
  const validation = validateRequest({ ...served, route: route2 });
  if (route2.call.caller === "anyone" && served.endpoint.kind === "detached") {
    if (!validation.ok) throw validation.error;
    const { body } = validation.request;
    const database = server.database.within(databaseWaitMsMax);
    const caller = { principal: null, claims: null };
    const outcome = await served.endpoint.handle({ body, ...caller, database, requestId: served.requestId });
    return successAnswer(served, { outcome, trackerId: null });
  }
  const presented = await readCredential(served.incoming.authorization, server.identity);
  const key = validation.ok ? validation.request.idempotencyKey : null;
  const spend = meterCall({ limiter: server.limiter, call: route2.call, announce: served.announce });
  let credentialId = null;
  const meter = (principal) => {
    credentialId = principal.credentialId;
    return spend(principal);
  };
  const asking = { server, served, presented, idempotencyKey: key, meter };
  const checkSession = findSessionCheck({ identity: server.identity, presented, call: route2.call });
  if (checkSession !== void 0) {
    const database = server.database.within(databaseWaitMsMax);
    const identify = () => database.transaction({ readOnly: false }, (tx) => identifyCaller(tx, asking));
    await withNewUser(server.identity, identify);
    await checkSession();
  }
  const performIn = (tx, admitted) => {
    if (!validation.ok) throw validation.error;
    return perform(server, served, { tx, ...admitted, presented, valid: validation.request });
  };
  const enterPrimary = (database) => database.transaction(
    { readOnly: route2.call.method === "GET", onPosition: positionTeller(server, served) },
    async (tx) => performIn(tx, await admitLoading(tx, { asking, valid: validation.ok ? validation.request : null }))
  );
  const readAfter = validation.ok ? validation.request.readAfter : null;
  const attempt = (waitMsMax3) => {
    const database = server.database.within(waitMsMax3);
    const enter = async () => await readFromReplica({ asking, database, readAfter, perform: performIn }) ?? await enterPrimary(database);
    return withNewUser(server.identity, enter);
  };
  const startedAt = server.pace.now();
  const decided = () => repeatUntilDecided({ attempt, isKeyed: key !== null, pace: server.pace, startedAt });
  const waitForTwin = () => server.singleFlight.run({
    key: `${presented.fingerprint} ${key}`,
    waitMsMax: 5e3,
    sleep: server.pace.sleep,
    work: decided
  });
  try {
    const done = await (key === null ? decided() : waitForTwin());
    return await done();
  } finally {
    if (credentialId !== null) server.credentialUse.note(credentialId);
  }
}
function positionTeller(server, { endpoint: endpoint2, announce }) {
  if (server.replica === null || endpoint2.kind === "detached" || !tellsReadAfter(endpoint2.route.call)) return void 0;
  return (position) => announce({ [headerNames.readAfter]: position });
}
async function perform(server, served, entered) {
  const { endpoint: endpoint2, requestId } = served;
  const { tx, access, valid, presented } = entered;
  const { principal, tracker } = access;
  if (endpoint2.kind === "detached") {
    return async () => {
      const { claims } = presented;
      const database = server.database.within(databaseWaitMsMax);
      const outcome2 = await endpoint2.handle({ body: valid.body, principal, claims, database, requestId });
      return successAnswer(served, { outcome: outcome2, trackerId: null });
    };
  }
  const request = {
    tx,
    pathParameters: served.pathParameters,
    query: valid.query,
    body: valid.body,
    ifMatch: valid.ifMatch,
    principal,
    tracker,
    eligibleTrackerIds: access.eligibleTrackerIds,
    requestId,
    totpAtSeconds: presented.claims?.totpAtSeconds ?? null,
    newId: server.newId
  };
  const trackerId = tracker?.id ?? null;
  endpoint2.authorize?.(request);
  const handle = async () => endpoint2.handle(request, await (entered.loaded ?? endpoint2.load?.(loadRequestOf(request))));
  if (valid.idempotencyKey === null || tracker === null) {
    const outcome2 = await handle();
    const { effect } = outcome2;
    if (effect !== void 0) {
      tx.sendWithCommit(() => recordAudit(tx, { id: server.newId(), effect, principal, requestId }));
    }
    return async () => successAnswer(served, { outcome: outcome2, trackerId });
  }
  const fingerprint = fingerprintOf(served, { trackerId: tracker.id, body: valid.body });
  const decision = decideReplay({ facts: entered.facts, tracker, fingerprint, requestId });
  if (decision.kind === "twin_in_progress") throw new TwinInProgress();
  if (decision.kind !== "first") return async () => storedAnswer(served, decision, trackerId);
  const outcome = await handle();
  const record2 = {
    auditId: server.newId(),
    effect: outcome.effect ?? null,
    principal,
    tracker,
    requestId,
    callName: endpoint2.route.call.name,
    idempotencyKey: valid.idempotencyKey,
    fingerprint,
    etag: outcome.etag ?? null,
    data: outcome.data
  };
  tx.sendWithCommit(() => recordKeyedWrite(tx, record2));
  return async () => successAnswer(served, { outcome, trackerId });
}
function loadRequestOf({ tx, pathParameters, query: query2, body, principal, tracker }) {
  if (tracker === null) throw new Error("What is loaded first is loaded from a tracker.");
  return { tx, pathParameters, query: query2, body, userId: principal.userId, trackerId: tracker.id };
}
function fingerprintOf(served, write) {
  const { call: call2 } = served.endpoint.route;
  const { pathParameters } = served;
  return requestFingerprint({ method: call2.method, route: call2.base + call2.path, pathParameters, ...write });
}

// src/http/create-app.ts
function createApp(house) {
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.disable("query parser");
  app.enable("strict routing");
  app.enable("case sensitive routing");
  app.use(assignRequestId);
  app.use(requireSoundHead);
  app.use(logRequest(house.log));
  app.use(house.metrics.measure);
  app.use(securityHeaders());
  app.use(followResponse(house.responses));
  mountRoutes(app, house);
  app.use(healthRouter(house.health));
  app.use(house.metrics.router, openApiRouter({ hasIdentity: house.jwks !== null }), docsRouter(), errorPagesRouter());
  if (house.jwks !== null) app.use(jwksRouter(house.jwks));
  app.use(() => {
    throw noSuchPath();
  });
  app.use(sendError(house.log));
  const listener = (request, response) => app(request, response, () => refuseTarget(response));
  return { listener, messages: messagesOf(app) };
}
function refuseTarget(response) {
  const requestId = randomUUID6();
  response.setHeader("X-Request-Id", requestId);
  sendJson(response, errorAnswer(targetFault(), requestId));
}
function assignRequestId(_request, response, next) {
  response.locals.requestId = randomUUID6();
  response.setHeader("X-Request-Id", response.locals.requestId);
  next();
}
function requireSoundHead(request, _response, next) {
  const { host = [], "transfer-encoding": codings = ["chunked"] } = request.headersDistinct;
  if (host.length > 1 || host.length === 0 && request.httpVersion !== "1.0") throw targetFault();
  if (codings.join().trim().toLowerCase() !== "chunked") throw codingFault();
  next();
}
function securityHeaders() {
  const headers = [];
  const recorder = {
    setHeader: (name, value) => headers.push([name, value]),
    removeHeader: () => {
    }
  };
  helmet()({}, recorder, (error) => {
    if (error !== void 0) throw error;
  });
  return (_request, response, next) => {
    for (const [name, value] of headers) response.setHeader(name, value);
    next();
  };
}
function followResponse(responses) {
  return (_request, response, next) => {
    responses.follow(response);
    next();
  };
}
function mountRoutes(app, house) {
  const served = new Map(house.endpoints.map((endpoint2) => [endpoint2.route.call.name, endpoint2]));
  const methodsByPath = /* @__PURE__ */ new Map();
  for (const { call: call2 } of Object.values(routes)) {
    const path = (call2.base + call2.path).replace(/\{(\w+)\}/g, ":$1");
    const endpoint2 = served.get(call2.name);
    if (endpoint2 === void 0) throw new Error(`The contract declares ${call2.name}, but no endpoint serves it.`);
    if (endpoint2.kind === "absent") continue;
    const methods2 = methodsByPath.get(path) ?? /* @__PURE__ */ new Map();
    methodsByPath.set(path, methods2.set(call2.method, endpoint2));
  }
  for (const [path, methods2] of methodsByPath) {
    app.all(path, async (request, response) => {
      response.locals.route = path;
      const endpoint2 = methods2.get(request.method);
      if (endpoint2 === void 0) throw methodNotAllowed([...methods2.keys()]);
      const requestId = response.locals.requestId;
      const pathParameters = lowerCaseIds(request.params);
      const incoming = await readIncoming(request);
      const address = clientAddress(request, house.proxyHops);
      const announce = (headers) => setHeaders(response, headers);
      const served2 = { endpoint: endpoint2, incoming, pathParameters, requestId, address, announce };
      sendJson(response, await serveCall(house.server, served2));
    });
  }
}
function jwksRouter(jwks) {
  return readOnlyRouter({
    [jwksPath]: async (_request, response) => sendJson(response, { status: 200, headers: {}, body: await jwks() })
  });
}
function setHeaders(response, headers) {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
}
function lowerCaseIds(parameters2) {
  const entries = Object.entries(parameters2);
  return Object.fromEntries(entries.map(([name, value]) => [name, isUuid(value) ? value.toLowerCase() : value]));
}
function sendError(log) {
  return (error, request, response, next) => {
    const requestId = response.locals.requestId;
    const told = publicError2(error);
    const answer = errorAnswer(told, requestId);
    log.failure({ requestId, status: answer.status, error: told });
    if (response.headersSent) {
      next(error);
      return;
    }
    if (!request.complete && announcesBody(request)) response.setHeader("Connection", "close");
    sendJson(response, answer);
  };
}
function publicError2(error) {
  return error instanceof ApiError || error.status !== 400 ? error : noSuchPath();
}

// src/http/create-http-server.ts
import { createServer as createServer2 } from "http";
import { createServer as createTlsServer } from "https";

// src/http/connection-order.ts
var ConnectionOrder = class {
  #latest = /* @__PURE__ */ new WeakMap();
  #broken = /* @__PURE__ */ new WeakSet();
  /** Serves a request once the one before it is answered; never, when that answer ended the connection. */
  serveInTurn(request, response, serve) {
    const { socket } = request;
    const exchange = { request, response, isOver: false };
    response.once("close", () => {
      exchange.isOver = true;
    });
    this.#afterLatest(socket, () => {
      if (socket.writable) serve();
    });
    this.#latest.set(socket, exchange);
  }
  /**
   * Ends a connection whose next bytes are no request, or only the beginning of one. What came before is still answered, and
   * first: its client must not take the refusal for the answer.
   */
  endWithFault(socket, fault) {
    if (this.#broken.has(socket)) return;
    this.#broken.add(socket);
    const latest = this.#latest.get(socket);
    if (latest === void 0 || latest.request.complete) {
      this.#afterLatest(socket, () => closeWithFault(socket, fault));
      return;
    }
    if (!latest.response.headersSent) latest.response.setHeader("Connection", "close");
    breakBody(latest.request, fault);
    this.#afterLatest(socket, () => socket.destroy());
  }
  #afterLatest(socket, act) {
    const latest = this.#latest.get(socket);
    if (latest === void 0 || latest.isOver) act();
    else latest.response.once("close", act);
  }
};

// src/http/create-http-server.ts
var usualLimits = { headMsMax: 1e4, wholeMsMax: 15e3, checkEveryMs: 1e3 };
function createHttpServer({ listener, messages }, connection) {
  const { tls, arrivalLimits: limits = usualLimits } = connection;
  const options = {
    ...messages,
    connectionsCheckingInterval: limits.checkEveryMs,
    headersTimeout: limits.headMsMax,
    requestTimeout: limits.wholeMsMax,
    // Longer than the idle time of the usual load balancers, which otherwise meet a closed connection.
    keepAliveTimeout: 75e3,
    maxHeaderSize: 16384,
    // Node's own refusal has no envelope; the listener asks for the header instead.
    requireHostHeader: false
  };
  const order = new ConnectionOrder();
  const serve = (request, response) => order.serveInTurn(request, response, () => listener(request, response));
  const server = tls === null ? createServer2(options, serve) : createTlsServer({ ...options, cert: tls.certificate, key: tls.key }, serve);
  server.maxHeadersCount = 0;
  Object.assign(server, { httpAllowHalfOpen: true });
  server.on("clientError", (error, socket) => {
    if (!socket.writable || error.code === "ECONNRESET") socket.destroy();
    else order.endWithFault(socket, clientFault(error.code));
  });
  server.on("connect", (_request, socket) => order.endWithFault(socket, tunnelFault()));
  server.on("checkExpectation", (request, response) => {
    order.serveInTurn(request, response, () => {
      const requestId = crypto.randomUUID();
      response.setHeader("X-Request-Id", requestId);
      sendJson(response, errorAnswer(expectationFault(), requestId));
    });
  });
  return server;
}

// src/http/drain-http-server.ts
import { setTimeout as sleep2 } from "timers/promises";
async function drainHttpServer(options) {
  const { server } = options;
  options.responses.leaveConnections();
  if (options.drainDelayMs > 0) await sleep2(options.drainDelayMs);
  const closed = new Promise((resolve4) => server.close(() => resolve4()));
  server.closeIdleConnections();
  const deadline = new AbortController();
  const late = sleep2(options.finishMsMax, void 0, { signal: deadline.signal, ref: false }).then(
    () => server.closeAllConnections(),
    () => void 0
  );
  await closed;
  deadline.abort();
  await late;
}

// src/http/metrics.ts
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
var methods = /* @__PURE__ */ new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
function createMetrics(parts) {
  const registry2 = new Registry();
  collectDefaultMetrics({ register: registry2 });
  const requests2 = new Counter({
    name: "centavo_http_requests_total",
    help: 'Requests by route template, method and status; "aborted" where the client left before the answer.',
    labelNames: ["route", "method", "status"],
    registers: [registry2]
  });
  const durations = new Histogram({
    name: "centavo_http_request_duration_seconds",
    help: "Time from the head of a request to the end of its answer.",
    labelNames: ["route", "method"],
    buckets: [2e-3, 5e-3, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10],
    registers: [registry2]
  });
  const underWay = new Gauge({
    name: "centavo_http_requests_under_way",
    help: "Requests that are being answered.",
    registers: [registry2]
  });
  const replicaReads = new Counter({
    name: "centavo_replica_reads_total",
    help: 'Reads that the replica might answer, by outcome; the primary answered those that were not "answered".',
    labelNames: ["outcome"],
    registers: [registry2]
  });
  new Gauge({
    name: "centavo_database_connections",
    help: "Connections of the pool by state, and transactions that wait for one.",
    labelNames: ["state"],
    registers: [registry2],
    collect() {
      for (const [state, count2] of Object.entries(parts.poolUse())) this.set({ state }, count2);
    }
  });
  const router = readOnlyRouter({
    "/metrics": async (_request, response) => {
      const text3 = Buffer.from(await (parts.tellAll?.() ?? registry2.metrics()));
      response.setHeader("Cache-Control", "no-store, no-transform");
      response.setHeader("Content-Type", registry2.contentType);
      response.setHeader("Content-Length", text3.length);
      response.end(text3);
    }
  });
  return {
    router,
    ownFigures: () => registry2.getMetricsAsJSON(),
    countReplicaRead: (outcome) => replicaReads.inc({ outcome }),
    measure(request, response, next) {
      const startedAt = performance.now();
      underWay.inc();
      response.on("close", () => {
        underWay.dec();
        const labels = { route: routeTemplate(request, response), method: methodOf(request) };
        requests2.inc({ ...labels, status: response.headersSent ? String(response.statusCode) : "aborted" });
        durations.observe(labels, (performance.now() - startedAt) / 1e3);
      });
      next();
    }
  };
}
function methodOf({ method }) {
  return methods.has(method) ? method : "other";
}

// src/http/responses-under-way.ts
var ResponsesUnderWay = class {
  // No set: what has left it would be freed late (decision 0028).
  #followed = [];
  #isLeaving = false;
  /** Follows an answer from its request to its end. */
  follow(response) {
    const followed = { response, place: this.#followed.length };
    this.#followed.push(followed);
    response.once("close", () => this.#forget(followed));
    if (this.#isLeaving) askToLeave(response);
  }
  /** From now on every answer that has not begun ends its connection. */
  leaveConnections() {
    this.#isLeaving = true;
    for (const { response } of this.#followed) askToLeave(response);
  }
  /** The last takes its place. */
  #forget({ place }) {
    const last = this.#followed.pop();
    if (last === void 0 || last.place === place) return;
    last.place = place;
    this.#followed[place] = last;
  }
};
function askToLeave(response) {
  if (!response.headersSent) response.setHeader("Connection", "close");
}

// src/identity/external/index.ts
import { v7 as uuidv72 } from "uuid";

// src/identity/external/absent-identity.endpoints.ts
var absentIdentityEndpoints = [
  absentEndpoint(routes.createUser),
  absentEndpoint(routes.createSession),
  absentEndpoint(routes.refreshSession),
  absentEndpoint(routes.endSession),
  absentEndpoint(routes.getMe),
  absentEndpoint(routes.enrolTotp),
  absentEndpoint(routes.confirmTotp),
  absentEndpoint(routes.verifyTotp)
];

// src/identity/enter-identity.queries.ts
async function enterIdentity(tx) {
  await query(
    tx,
    `select set_config('role', 'centavo_identity', true), set_config('lock_timeout', '2s', true),
       set_config('statement_timeout', '3s', true), set_config('idle_in_transaction_session_timeout', '10s', true)`
  );
}

// src/identity/identity-transaction.ts
async function identityTransaction(database, work) {
  try {
    return await database.transaction({ readOnly: false }, async (tx) => {
      await enterIdentity(tx);
      return work(tx);
    });
  } catch (error) {
    if (error instanceof CommitOutcomeUnknown) {
      throw serviceUnavailable({ internalReason: "commit outcome unknown", cause: error });
    }
    if (isOutage(error)) {
      throw serviceUnavailable({ internalReason: "database away or busy", cause: error });
    }
    throw error;
  }
}

// src/identity/external/external-users.queries.ts
async function insertExternalUser(tx, user) {
  const rows = await query(
    tx,
    `insert into app.users (id, issuer, subject, email, display_name, created_at)
     values (cast(:id as uuid), :issuer, :subject, :email, :displayName, :createdAt)
     on conflict do nothing
     returning id`,
    user
  );
  return rows.length > 0;
}

// src/identity/external/add-external-user.ts
async function addExternalUser(parts, claims) {
  const { issuer, subject, profile } = claims;
  const { email = null, displayName = null } = profile ?? {};
  const user = { id: parts.newId(), issuer, subject, email, displayName, createdAt: parts.clock() };
  await identityTransaction(parts.database, async (tx) => {
    const isAdded = await insertExternalUser(tx, user);
    if (!isAdded && email !== null) await insertExternalUser(tx, { ...user, email: null });
  });
}

// src/identity/identity-errors.ts
function emailTaken() {
  return stateConflict("email_taken", "A user with this e-mail address exists already.");
}
function registrationClosed() {
  return stateConflict("registration_closed", "This server does not accept new users.");
}
function notEnrolled() {
  return stateConflict("not_enrolled", "No authenticator app is enrolled. Enrol one with POST /totp.");
}
function sessionInactive() {
  return refusedCredential({
    code: "SESSION_INACTIVE",
    message: "This session has ended. Log in again.",
    internalReason: "session ended, expired or unknown"
  });
}
function refreshTokenExpired() {
  return refusedCredential({
    code: "CREDENTIAL_EXPIRED",
    message: "This session has expired. Log in again.",
    internalReason: "refresh token expired"
  });
}
function refreshTokenReused() {
  return refusedCredential({
    code: "CREDENTIAL_REVOKED",
    message: "This refresh token was used before, so its session was ended. Log in again.",
    internalReason: "refresh token reused"
  });
}
function tooManyCodes(policy) {
  return new ApiError({
    code: "RATE_LIMITED",
    message: "Too many wrong codes. Wait for Retry-After, then try again.",
    details: { policy: "totp", ...policy },
    headers: { "Retry-After": String(policy.retryAfterSeconds) }
  });
}

// src/identity/external/decide-session.ts
function decideSession(answer, claims) {
  if (answer === null || typeof answer !== "object") return "unclear";
  const { active, sub, iss, sid, session_id: sessionId = sid } = answer;
  if (typeof active !== "boolean") return "unclear";
  const isOther = sub !== void 0 && sub !== claims.subject || iss !== void 0 && iss !== claims.issuer || sessionId !== void 0 && sessionId !== claims.sessionId;
  return active && !isOther ? "active" : "inactive";
}

// src/identity/external/fetch-small-json.ts
var timeoutMs = 2e3;
var bodyBytesMax2 = 64 * 1024;
async function fetchSmallJson(request) {
  const { network, url, post: post2 } = request;
  const response = await network.fetch(url, {
    method: post2 === void 0 ? "GET" : "POST",
    headers: { Accept: "application/json", ...post2?.headers },
    body: post2?.form ?? null,
    redirect: "error",
    signal: network.timeoutSignal(timeoutMs)
  });
  if (response.status !== 200) {
    const reason = await readRefusal(response);
    throw new IssuerFault(`ISSUER_STATUS_${response.status}`, `answered ${response.status}${reason}`);
  }
  const text3 = await readText(response);
  try {
    return JSON.parse(text3);
  } catch {
    throw new IssuerFault("ISSUER_ANSWER_NOT_JSON", "answered something that is not JSON");
  }
}
var IssuerFault = class extends Error {
  code;
  constructor(code, message) {
    super(message);
    this.name = "IssuerFault";
    this.code = code;
  }
};
function describeFailure(setting, failure) {
  return `${setting} ${failure instanceof IssuerFault ? failure.message : "did not answer"}`;
}
async function readRefusal(response) {
  if (!/^application\/json\b/.test(response.headers.get("Content-Type") ?? "")) {
    await response.body?.cancel();
    return "";
  }
  const answer = await readText(response).then(JSON.parse).catch(() => null);
  const { error } = answer ?? {};
  return typeof error === "string" && /^[a-z_]{1,40}$/.test(error) ? ` ${error}` : "";
}
async function readText(response) {
  const chunks = [];
  let byteCount = 0;
  for await (const chunk of response.body ?? []) {
    byteCount += chunk.byteLength;
    if (byteCount > bodyBytesMax2) throw new IssuerFault("ISSUER_ANSWER_TOO_LARGE", "answered more than 64 KiB");
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

// src/identity/external/ask-active-session.ts
async function askActiveSession(request) {
  const { network, introspection, token: token2, claims } = request;
  const answer = await fetchSmallJson({
    network,
    url: introspection.url,
    post: {
      headers: { Authorization: basicCredentials(introspection) },
      form: new URLSearchParams({ token: token2, token_type_hint: "access_token" })
    }
  }).catch((cause) => {
    throw sessionUnclear(describeFailure("IDENTITY_INTROSPECTION_URL", cause), cause);
  });
  const verdict = decideSession(answer, claims);
  if (verdict === "unclear") throw sessionUnclear('IDENTITY_INTROSPECTION_URL answered without "active"');
  if (verdict === "inactive") throw sessionInactive();
}
function sessionUnclear(internalReason, cause) {
  const message = "The identity provider did not say whether this session is active, and nothing was done. Try again later; if it goes on, tell whoever runs this server.";
  return serviceUnavailable({ internalReason, cause, message });
}
function basicCredentials({ clientId, clientSecret }) {
  const pair = `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`;
  return `Basic ${Buffer.from(pair).toString("base64")}`;
}

// src/identity/external/parse-key-set.ts
import { importJWK } from "jose";
var kidLengthMax = 128;
var allowedAlgorithms = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519"
];
var modulusBitsMin = 2048;
async function parseKeySet(document) {
  const entries = document?.keys;
  if (!Array.isArray(entries)) throw new IssuerFault("ISSUER_NO_KEY_SET", "answered no JWK set");
  const keys = /* @__PURE__ */ new Map();
  for (const entry of entries) {
    const parsed = await parseKey(entry);
    if (parsed !== void 0) keys.set(parsed.kid, [...keys.get(parsed.kid) ?? [], parsed.key]);
  }
  if (keys.size === 0) throw new IssuerFault("ISSUER_NO_USABLE_KEY", "answered no key that can be used");
  return keys;
}
async function parseKey(entry) {
  if (entry === null || typeof entry !== "object") return void 0;
  const { kid, kty, crv, use, key_ops: operations, alg, n, e, x, y } = entry;
  if (typeof kid !== "string" || kid === "" || kid.length > kidLengthMax) return void 0;
  if (use !== void 0 && use !== "sig") return void 0;
  if (operations !== void 0 && !(Array.isArray(operations) && operations.includes("verify"))) return void 0;
  const algorithms2 = algorithmsOf(kty, crv).filter((name) => alg === void 0 || alg === name);
  const [algorithm] = algorithms2;
  if (algorithm === void 0) return void 0;
  const jwk = kty === "RSA" ? { kty, n, e } : kty === "EC" ? { kty, crv, x, y } : { kty, crv, x };
  const imported = await importJWK(jwk, algorithm).catch(() => void 0);
  if (imported === void 0 || !isLongEnough(imported)) return void 0;
  return { kid, key: { jwk: Object.freeze(jwk), algorithms: algorithms2 } };
}
function algorithmsOf(kty, crv) {
  if (kty === "RSA") return allowedAlgorithms.filter((name) => name.startsWith("RS") || name.startsWith("PS"));
  return algorithmsOfCurve[`${kty} ${crv}`] ?? [];
}
var algorithmsOfCurve = {
  "EC P-256": ["ES256"],
  "EC P-384": ["ES384"],
  "EC P-521": ["ES512"],
  "OKP Ed25519": ["EdDSA", "Ed25519"]
};
function isLongEnough(key) {
  const { modulusLength } = key.algorithm;
  return modulusLength === void 0 || modulusLength >= modulusBitsMin;
}

// src/identity/external/decide-key-lookup.ts
var freshMs = 10 * 6e4;
var usableMs = 24 * 36e5;
var pauseMs2 = 3e4;
function decideKeyLookup(request) {
  const { state, kid, nowMs } = request;
  const { loaded, tried } = state;
  if (kid.length > kidLengthMax) return "unknown";
  const mayLoad = request.mayLoad && (tried === null || !isWithin(pauseMs2, { sinceMs: tried.atMs, nowMs }));
  const hasFailed = tried !== null && tried.failure !== void 0;
  const isUsable = loaded !== null && isWithin(usableMs, { sinceMs: loaded.atMs, nowMs });
  if (isUsable && loaded.keys.has(kid)) {
    if (isWithin(freshMs, { sinceMs: loaded.atMs, nowMs })) return "use";
    if (!mayLoad) return "use";
    return hasFailed ? "use_and_load" : "load";
  }
  if (mayLoad) return "load";
  return isUsable && !hasFailed ? "unknown" : "unavailable";
}
function isWithin(spanMs, { sinceMs, nowMs }) {
  return nowMs >= sinceMs && nowMs - sinceMs < spanMs;
}

// src/identity/external/remote-key-set.ts
function createRemoteKeySet(options) {
  let state = { loaded: null, tried: null };
  let loading;
  async function attempt() {
    const atMs = options.clock().getTime();
    try {
      const keys = await options.load();
      state = { loaded: { keys, atMs }, tried: { atMs, failure: void 0 } };
    } catch (failure) {
      state = { loaded: state.loaded, tried: { atMs, failure: failure ?? "unknown" } };
    }
    loading = void 0;
  }
  const load = () => {
    loading ??= attempt();
    return loading;
  };
  const decide = (kid, mayLoad) => decideKeyLookup({ state, kid, nowMs: options.clock().getTime(), mayLoad });
  return {
    async find({ kid, algorithm }) {
      let lookup = decide(kid, true);
      if (lookup === "load") {
        await load();
        lookup = decide(kid, false);
      } else if (lookup === "use_and_load") {
        void load();
      }
      if (lookup === "unavailable") {
        const cause = state.tried?.failure;
        throw serviceUnavailable({ internalReason: describeFailure("IDENTITY_JWKS_URL", cause), cause });
      }
      if (lookup === "unknown") return void 0;
      return state.loaded?.keys.get(kid)?.find(({ algorithms: algorithms2 }) => algorithms2.includes(algorithm))?.jwk;
    }
  };
}

// src/identity/external/verify-external-token.ts
import { jwtVerify } from "jose";

// src/identity/require-plain-header.ts
function requirePlainHeader(header) {
  const forbidden = forbiddenNames.find((name) => header[name] !== void 0);
  if (forbidden !== void 0) throw credentialInvalid(`header ${forbidden}`);
}
var forbiddenNames = ["crit", "jku", "jwk", "x5u", "x5c"];

// src/identity/token-refusal.ts
import { errors as errors2 } from "jose";
function tokenRefusal(error) {
  if (error instanceof errors2.JWTExpired) {
    return refusedCredential({
      code: "CREDENTIAL_EXPIRED",
      message: "This access token has expired. Refresh the session.",
      internalReason: "access token expired"
    });
  }
  return error instanceof errors2.JOSEError ? credentialInvalid(error.code) : error;
}

// src/identity/authentication-methods.ts
function withTotp(amr, nowSeconds) {
  return [{ method: "totp", timestamp: nowSeconds }, ...amr.filter(({ method }) => method !== "totp")];
}
function latestTotpSeconds(amr) {
  if (!Array.isArray(amr)) return null;
  const times = amr.filter(isTotp).map(({ timestamp: timestamp2 }) => timestamp2);
  return times.length === 0 ? null : Math.max(...times);
}
function isTotp(entry) {
  if (entry === null || typeof entry !== "object") return false;
  const { method, timestamp: timestamp2 } = entry;
  return method === "totp" && Number.isSafeInteger(timestamp2);
}

// src/identity/external/totp-time.ts
function totpTime(claims) {
  const { amr, auth_time: authTime } = claims;
  const timed = latestTotpSeconds(amr);
  if (timed !== null) return timed;
  return Array.isArray(amr) && amr.includes("otp") && Number.isSafeInteger(authTime) ? authTime : null;
}

// src/identity/external/parse-external-claims.ts
var nameLengthMax = 255;
var userFields = createUserBody.shape;
function parseExternalClaims(payload, issuer) {
  const { sub: subject, session_id: sessionId = payload.sid, email_verified: isEmailVerified } = payload;
  if (!isPlainName(subject)) throw credentialInvalid("sub is not 1-255 plain characters");
  if (!isPlainName(sessionId)) throw credentialInvalid("session_id or sid is not 1-255 plain characters");
  if (payload.events !== void 0) throw credentialInvalid("a security event, not an access token");
  const email = isEmailVerified === true ? userFields.email.safeParse(payload.email) : void 0;
  const displayName = userFields.displayName.safeParse(payload.name);
  return {
    issuer,
    subject,
    sessionId,
    totpAtSeconds: totpTime({ amr: payload.amr, auth_time: payload.auth_time }),
    profile: { email: email?.data ?? null, displayName: displayName.data ?? null }
  };
}
function isPlainName(value) {
  if (typeof value !== "string" || value === "" || value.length > nameLengthMax) return false;
  return value.isWellFormed() && !new RegExp("\\p{Cc}", "u").test(value);
}

// src/identity/external/verify-external-token.ts
var clockSkewSeconds2 = 30;
var allowedTypes = [void 0, "jwt", "at+jwt", "application/at+jwt"];
async function verifyExternalToken(request) {
  const { issuer, audience } = request.issuer;
  try {
    const { payload } = await jwtVerify(request.token, (header) => chooseKey(header, request.keys), {
      algorithms: [...allowedAlgorithms],
      issuer,
      audience,
      requiredClaims: ["sub", "exp"],
      clockTolerance: clockSkewSeconds2,
      currentDate: request.now
    });
    return parseExternalClaims(payload, issuer);
  } catch (error) {
    throw tokenRefusal(error);
  }
}
async function chooseKey(header, keys) {
  requirePlainHeader(header);
  const { kid, alg: algorithm, typ } = header;
  if (!allowedTypes.includes(typeof typ === "string" ? typ.toLowerCase() : typ)) throw credentialInvalid("header typ");
  const key = typeof kid === "string" ? await keys.find({ kid, algorithm }) : void 0;
  if (key === void 0) throw credentialInvalid("unknown signing key");
  return key;
}

// src/identity/external/index.ts
function createExternalIdentity(options) {
  const { database, issuer, clock, randomBytes: randomBytes6 } = options;
  const { network = { fetch, timeoutSignal: (ms) => AbortSignal.timeout(ms) } } = options;
  const newId = () => uuidv72({ msecs: clock().getTime(), random: randomBytes6(16) });
  const keys = createRemoteKeySet({
    load: async () => parseKeySet(await fetchSmallJson({ network, url: issuer.jwksUrl })),
    clock
  });
  return {
    provider: {
      keepsSessions: false,
      verifyAccessToken: (token2) => verifyExternalToken({ token: token2, issuer, keys, now: clock() }),
      requireActiveSession: ({ token: token2, claims }) => askActiveSession({ network, introspection: issuer.introspection, token: token2, claims }),
      addUser: (claims) => addExternalUser({ database, newId, clock }, claims)
    },
    endpoints: absentIdentityEndpoints,
    jwks: null
  };
}

// src/identity/index.ts
import { v7 as uuidv73 } from "uuid";

// src/identity/identity-parts.ts
var embeddedIssuer = "urn:centavo:identity";
var apiAudience = "urn:centavo:api";

// src/identity/users.queries.ts
async function insertUser(tx, user) {
  await query(
    tx,
    `with created as (
       insert into app.users (id, issuer, subject, email, display_name, created_at)
       values (cast(:id as uuid), :issuer, :id, :email, :displayName, :createdAt)
       returning id
     )
     insert into identity.passwords (user_id, password_hash) select id, :passwordHash from created`,
    user
  );
}
async function findUserByEmail(tx, key) {
  const [row] = await query(
    tx,
    `select u.id, p.password_hash,
       exists (select 1 from identity.totp t where t.user_id = u.id and t.secret is not null) as totp_enrolled
     from app.users u join identity.passwords p on p.user_id = u.id
     where u.issuer = :issuer and lower(u.email) = lower(:email)`,
    key
  );
  return row && { id: row.id, passwordHash: row.password_hash, totpEnrolled: row.totp_enrolled };
}
async function findUser2(tx, userId) {
  const [row] = await query(
    tx,
    `select u.email, u.display_name,
       exists (select 1 from identity.totp t where t.user_id = u.id and t.secret is not null) as totp_enrolled
     from app.users u where u.id = :userId`,
    { userId }
  );
  return row && { email: row.email, displayName: row.display_name, totpEnrolled: row.totp_enrolled };
}

// src/identity/create-user.ts
async function createUser(parts, body) {
  if (parts.registration === "closed") throw registrationClosed();
  const passwordHash = await parts.passwords.hash(body.password);
  const user = {
    id: parts.newId(),
    email: body.email,
    displayName: body.displayName ?? null,
    createdAt: parts.clock()
  };
  try {
    await identityTransaction(
      parts.database,
      (tx) => insertUser(tx, { ...user, issuer: embeddedIssuer, passwordHash })
    );
  } catch (error) {
    if (violatedConstraint(error) === "users_email_key") throw emailTaken();
    throw error;
  }
  const { id, createdAt, ...profile } = user;
  return { userId: id, ...profile, createdAt: createdAt.toISOString() };
}

// src/identity/password-hashing.ts
import { hash, verify } from "@node-rs/argon2";
var parameters = { memoryCost: 19456, timeCost: 2, parallelism: 1 };
var argon2id = {
  hash: (password) => hash(password, parameters),
  verify: (passwordHash, password) => verify(passwordHash, password)
};
var unknownUserPasswordHash = "$argon2id$v=19$m=19456,t=2,p=1$4aW9w3Ctg2qkfzkfguOuiA$UAvCrhpta1NHFi1zRkmJ2o7WsDUbimiMsQwI0MHVCx8";

// src/identity/refresh-token.ts
import { createHash as createHash8 } from "crypto";
function makeRefreshToken(randomBytes6) {
  return randomBytes6(32).toString("base64url");
}
function hashRefreshToken(token2) {
  return createHash8("sha256").update(token2).digest();
}

// src/identity/session-view.ts
function toSessionView(opened) {
  return {
    sessionId: opened.session.id,
    accessToken: opened.access.accessToken,
    tokenType: "Bearer",
    expiresAt: opened.access.expiresAt.toISOString(),
    refreshToken: opened.refreshToken,
    refreshExpiresAt: opened.session.expiresAt.toISOString(),
    totpEnrolled: opened.totpEnrolled
  };
}

// src/identity/sessions.queries.ts
async function insertSession(tx, session) {
  const { amr, ...columns9 } = session;
  await query(
    tx,
    `with opened as (
       insert into identity.sessions (id, user_id, amr, created_at, expires_at)
       values (:id, :userId, cast(:amr as jsonb), :createdAt, :expiresAt)
       returning id, created_at
     )
     insert into identity.refresh_tokens (token_sha256, session_id, created_at)
     select :refreshTokenSha256, id, created_at from opened`,
    { ...columns9, amr: JSON.stringify(amr) }
  );
}
async function lockRefreshToken(tx, tokenSha256) {
  const [row] = await query(
    tx,
    `select s.id, s.user_id, s.amr, s.expires_at, r.used_at is not null as is_used, s.ended_at is not null as is_ended,
       exists (select 1 from identity.totp t where t.user_id = s.user_id and t.secret is not null) as totp_enrolled
     from identity.refresh_tokens r join identity.sessions s on s.id = r.session_id
     where r.token_sha256 = :tokenSha256
     for update of r for share of s`,
    { tokenSha256 }
  );
  if (row === void 0) return void 0;
  return {
    session: { id: row.id, userId: row.user_id, amr: row.amr, expiresAt: new Date(row.expires_at) },
    isUsed: row.is_used,
    isEnded: row.is_ended,
    totpEnrolled: row.totp_enrolled
  };
}
async function replaceRefreshToken(tx, tokens2) {
  await query(
    tx,
    `with used as (
       update identity.refresh_tokens set used_at = :now where token_sha256 = :usedSha256 and used_at is null
       returning session_id
     )
     insert into identity.refresh_tokens (token_sha256, session_id, created_at) select :newSha256, session_id, :now from used`,
    tokens2
  );
}
async function endSessionRow(tx, session) {
  await query(tx, "select pg_advisory_xact_lock(hashtextextended(cast(cast(:sessionId as uuid) as text), 1))", {
    sessionId: session.sessionId
  });
  await query(tx, "update identity.sessions set ended_at = :now where id = :sessionId and ended_at is null", session);
}
async function lockActiveSession(tx, key) {
  const [row] = await query(
    tx,
    `select id, user_id, amr, expires_at from identity.sessions
     where id = :sessionId and user_id = :userId and ended_at is null and expires_at > :now
     for no key update`,
    key
  );
  return row && { id: row.id, userId: row.user_id, amr: row.amr, expiresAt: new Date(row.expires_at) };
}
async function updateSessionMethods(tx, session) {
  await query(tx, "update identity.sessions set amr = cast(:amr as jsonb) where id = :sessionId", {
    sessionId: session.sessionId,
    amr: JSON.stringify(session.amr)
  });
}

// src/identity/sign-access-token.ts
import { SignJWT } from "jose";
var accessTokenSeconds = 15 * 60;
async function signAccessToken(parts, session) {
  const { kid, privateKey } = await parts.keyRing.signingKey();
  const issuedAt = Math.floor(parts.clock().getTime() / 1e3);
  const expiresAt = Math.min(issuedAt + accessTokenSeconds, Math.floor(session.expiresAt.getTime() / 1e3));
  const accessToken = await new SignJWT({ session_id: session.id, amr: session.amr }).setProtectedHeader({ alg: "ES256", typ: "at+jwt", kid }).setIssuer(embeddedIssuer).setAudience(apiAudience).setSubject(session.userId).setJti(parts.newId()).setIssuedAt(issuedAt).setExpirationTime(expiresAt).sign(privateKey);
  return { accessToken, expiresAt: new Date(expiresAt * 1e3) };
}

// src/identity/create-session.ts
var sessionMs = 30 * 24 * 60 * 60 * 1e3;
async function createSession(parts, body) {
  const { email, password } = body;
  const user = await identityTransaction(
    parts.database,
    (tx) => findUserByEmail(tx, { issuer: embeddedIssuer, email })
  );
  const isRight = await parts.passwords.verify(user?.passwordHash ?? unknownUserPasswordHash, password);
  if (user === void 0 || !isRight) {
    throw credentialInvalid("unknown e-mail or wrong password", "The e-mail address or the password is not right.");
  }
  const now = parts.clock();
  const refreshToken = makeRefreshToken(parts.randomBytes);
  const session = {
    id: parts.newId(),
    userId: user.id,
    amr: [{ method: "password", timestamp: Math.floor(now.getTime() / 1e3) }],
    expiresAt: new Date(now.getTime() + sessionMs)
  };
  const access = await signAccessToken(parts, session);
  await identityTransaction(
    parts.database,
    (tx) => insertSession(tx, { ...session, createdAt: now, refreshTokenSha256: hashRefreshToken(refreshToken) })
  );
  return toSessionView({ session, access, refreshToken, totpEnrolled: user.totpEnrolled });
}

// src/identity/end-session.ts
async function endSession(parts, sessionId) {
  await identityTransaction(parts.database, (tx) => endSessionRow(tx, { sessionId, now: parts.clock() }));
}

// src/identity/enrol-totp.ts
import { generateURI, ScureBase32Plugin } from "otplib";

// src/identity/sealing.ts
import { CompactEncrypt, compactDecrypt } from "jose";
var totpOwner = (userId) => `totp:${userId}`;
var signingKeyOwner = (kid) => `signing key:${kid}`;
var sealed = /^sealed:([\w-]{8}):(.+)$/s;
var algorithms = { keyManagementAlgorithms: ["dir"], contentEncryptionAlgorithms: ["A256GCM"] };
function createSealing(keys) {
  const [first2] = keys;
  const prefix = first2 === void 0 ? null : sealedPrefix(first2.id);
  return {
    prefix,
    async seal(text3, owner) {
      if (first2 === void 0) return text3;
      const header = { alg: "dir", enc: "A256GCM", owner };
      return prefix + await new CompactEncrypt(Buffer.from(text3)).setProtectedHeader(header).encrypt(first2.bytes);
    },
    async open(stored, owner) {
      const [, keyId, token2] = sealed.exec(stored) ?? [];
      if (keyId === void 0 || token2 === void 0) return stored;
      const key = keys.find(({ id }) => id === keyId);
      if (key === void 0) {
        throw new Error(
          `What is stored for ${owner} is encrypted with the key ${keyId}, which ENCRYPTION_KEY does not hold. Add that key to it. If it is lost, \`centavo-server forget-sealed\` is the way back; docs/operations.md tells of both.`
        );
      }
      const { plaintext, protectedHeader } = await compactDecrypt(token2, key.bytes, algorithms).catch(
        (error) => {
          throw new Error(`What is stored for ${owner} cannot be decrypted with the key ${keyId}`, { cause: error });
        }
      );
      if (protectedHeader.owner !== owner) throw new Error(`What is stored for ${owner} was encrypted for another`);
      return Buffer.from(plaintext).toString();
    }
  };
}

// src/identity/totp.queries.ts
async function storePendingSecret(tx, secret) {
  const rows = await query(
    tx,
    `insert into identity.totp (user_id, pending_secret) values (:userId, :pendingSecret)
     on conflict (user_id) do update set pending_secret = excluded.pending_secret
       where identity.totp.secret is null or cast(:mayReplace as boolean)
     returning user_id`,
    secret
  );
  return rows.length > 0;
}
async function lockTotp(tx, userId) {
  const [row] = await query(
    tx,
    // Up to the last step all are used where a server of the version before has written it, which knows no others.
    `select secret, pending_secret, failed_at,
       case when last_step is null or (last_step = any (used_steps) and used_steps_of = secret) then used_steps
       else array(select generate_series(last_step - 9, last_step)) end as used_steps
     from identity.totp where user_id = :userId for update`,
    { userId }
  );
  if (row === void 0) return void 0;
  return {
    secret: row.secret,
    pendingSecret: row.pending_secret,
    usedSteps: row.used_steps.map(Number),
    failedAt: row.failed_at
  };
}
var isOpen = `(not starts_with(secret, :prefix) or not starts_with(pending_secret, :prefix)
  or not starts_with(used_steps_of, :prefix))`;
async function lockOpenTotp(tx, asked) {
  const rows = await query(
    tx,
    `select user_id, secret, pending_secret from identity.totp where ${isOpen} limit :limit for update skip locked`,
    asked
  );
  return rows.map((row) => ({ userId: row.user_id, secret: row.secret, pendingSecret: row.pending_secret }));
}
async function hasOpenTotp(tx, prefix) {
  return (await query(tx, `select 1 from identity.totp where ${isOpen} limit 1`, { prefix })).length > 0;
}
async function updateTotpSecrets(tx, changes) {
  await query(
    tx,
    `update identity.totp t set secret = c.secret, pending_secret = c."pendingSecret",
       used_steps_of = case when t.used_steps_of = t.secret then c.secret end
     from jsonb_to_recordset(cast(:changes as jsonb)) as c ("userId" uuid, secret text, "pendingSecret" text)
     where t.user_id = c."userId"`,
    { changes: JSON.stringify(changes) }
  );
}
async function updateCodeFailures(tx, change) {
  await query(tx, "update identity.totp set failed_at = cast(:failedAt as timestamptz(3)[]) where user_id = :userId", {
    userId: change.userId,
    failedAt: change.failedAt.map((failure) => failure.toISOString())
  });
}
async function acceptCode(tx, accepted) {
  await query(
    tx,
    `update identity.totp
     set secret = :secret, pending_secret = case when pending_secret = :secret then null else pending_secret end,
       used_steps = cast(:usedSteps as bigint[]), used_steps_of = :secret, last_step = cast(:lastStep as bigint), failed_at = '{}'
     where user_id = :userId`,
    { ...accepted, usedSteps: accepted.usedSteps.map(String), lastStep: Math.max(...accepted.usedSteps) }
  );
}

// src/identity/enrol-totp.ts
var secretBytes = 20;
async function enrolTotp(parts, caller) {
  const now = parts.clock();
  const maxAgeSeconds = parts.stepUpMaxAgeSeconds;
  const mayReplace = isRecentTotp({
    totpAtSeconds: caller.totpAtSeconds,
    nowSeconds: Math.floor(now.getTime() / 1e3),
    maxAgeSeconds
  });
  const secret = new ScureBase32Plugin().encode(parts.randomBytes(secretBytes), { padding: false });
  const { userId, sessionId } = caller;
  const pendingSecret = await parts.sealing.seal(secret, totpOwner(userId));
  const label = await identityTransaction(parts.database, async (tx) => {
    if (await lockActiveSession(tx, { sessionId, userId, now }) === void 0) throw sessionInactive();
    const isStored = await storePendingSecret(tx, { userId, pendingSecret, mayReplace });
    if (!isStored) throw stepUpRequired(maxAgeSeconds);
    return (await findUser2(tx, userId))?.email ?? userId;
  });
  return { secret, otpauthUri: generateURI({ issuer: "Centavo", label, secret }) };
}

// src/identity/get-me.ts
async function getMe(parts, userId) {
  const profile = await identityTransaction(parts.database, (tx) => findUser2(tx, userId));
  if (profile === void 0) throw credentialInvalid("the user is gone");
  return { userId, ...profile };
}

// src/identity/count-code-attempt.ts
var codeFailureLimit = { limit: 5, windowSeconds: 15 * 60 };
function countCodeAttempt(failedAt, now) {
  const { limit, windowSeconds } = codeFailureLimit;
  const windowMs = windowSeconds * 1e3;
  const recent = failedAt.filter((failure) => failure.getTime() + windowMs > now.getTime());
  const [oldest] = recent.slice(-limit);
  if (recent.length < limit || oldest === void 0) return { isAllowed: true, failedAtIfWrong: [...recent, now] };
  return { isAllowed: false, retryAfterSeconds: Math.ceil((oldest.getTime() + windowMs - now.getTime()) / 1e3) };
}

// src/identity/match-totp-step.ts
import { NobleCryptoPlugin, ScureBase32Plugin as ScureBase32Plugin2, TOTP } from "otplib";
var stepSeconds = 30;
var totp = new TOTP({ crypto: new NobleCryptoPlugin(), base32: new ScureBase32Plugin2(), period: stepSeconds });
async function matchTotpStep(guess) {
  const result = await totp.verify(guess.code, {
    secret: guess.secret,
    epoch: Math.floor(guess.now.getTime() / 1e3),
    epochTolerance: stepSeconds
  });
  return result.valid ? result.timeStep : null;
}

// src/identity/used-steps.ts
var kept = 10;
function isUsed(used, step) {
  return used.includes(step) || step <= Math.max(...used) - kept;
}
function useStep(used, step) {
  const all = [...used, step];
  const last = Math.max(...all);
  return all.filter((one) => one > last - kept);
}

// src/identity/give-totp-code.ts
async function giveTotpCode(parts, given) {
  const now = parts.clock();
  const { userId, sessionId } = given.caller;
  const judged = await identityTransaction(parts.database, async (tx) => {
    const session = await lockActiveSession(tx, { sessionId, userId, now });
    if (session === void 0) throw sessionInactive();
    const secret = chooseSecret(await lockTotp(tx, userId), given.purpose);
    const attempt = countCodeAttempt(secret.failedAt, now);
    if (!attempt.isAllowed) throw tooManyCodes({ ...codeFailureLimit, retryAfterSeconds: attempt.retryAfterSeconds });
    await updateCodeFailures(tx, { userId, failedAt: attempt.failedAtIfWrong });
    const base32 = await parts.sealing.open(secret.stored, totpOwner(userId));
    const step = await matchTotpStep({ secret: base32, code: given.code, now });
    if (step === null || isUsed(secret.usedSteps, step)) return null;
    await acceptCode(tx, { userId, secret: secret.stored, usedSteps: useStep(secret.usedSteps, step) });
    const amr = withTotp(session.amr, Math.floor(now.getTime() / 1e3));
    await updateSessionMethods(tx, { sessionId, amr });
    return { ...session, amr };
  });
  if (judged === null) {
    throw credentialInvalid(
      "wrong or used one-time code",
      "The code is wrong or was used already. Wait for the next one."
    );
  }
  const { accessToken, expiresAt } = await signAccessToken(parts, judged);
  return { accessToken, expiresAt: expiresAt.toISOString() };
}
function chooseSecret(row, purpose) {
  const stored = purpose === "confirm" ? row?.pendingSecret : row?.secret;
  if (row === void 0 || stored === null || stored === void 0) throw notEnrolled();
  return { stored, failedAt: row.failedAt, usedSteps: purpose === "confirm" ? [] : row.usedSteps };
}

// src/identity/refresh-session.ts
async function refreshSession(parts, presentedToken) {
  const now = parts.clock();
  await parts.keyRing.signingKey();
  const usedSha256 = hashRefreshToken(presentedToken);
  const refreshToken = makeRefreshToken(parts.randomBytes);
  const facts = await identityTransaction(parts.database, async (tx) => {
    const found = await lockRefreshToken(tx, usedSha256);
    if (found === void 0) throw credentialInvalid("unknown refresh token");
    if (found.isUsed) return found;
    requireRefreshable(found, now);
    await replaceRefreshToken(tx, { usedSha256, newSha256: hashRefreshToken(refreshToken), now });
    return found;
  });
  if (facts.isUsed) {
    await endSession(parts, facts.session.id);
    throw refreshTokenReused();
  }
  const access = await signAccessToken(parts, facts.session);
  return toSessionView({ session: facts.session, access, refreshToken, totpEnrolled: facts.totpEnrolled });
}
function requireRefreshable(facts, now) {
  if (facts.isEnded) throw sessionInactive();
  if (facts.session.expiresAt <= now) throw refreshTokenExpired();
}

// src/identity/identity.endpoints.ts
function createIdentityEndpoints(options) {
  const partsOf = ({ database }) => ({ ...options, database });
  return [
    detachedEndpoint(routes.createUser, async (request) => ({
      data: await createUser(partsOf(request), request.body)
    })),
    detachedEndpoint(routes.createSession, async (request) => ({
      data: await createSession(partsOf(request), request.body)
    })),
    detachedEndpoint(routes.refreshSession, async (request) => ({
      data: await refreshSession(partsOf(request), request.body.refreshToken)
    })),
    detachedEndpoint(routes.endSession, async (request) => {
      await endSession(partsOf(request), requireCaller(request).sessionId);
      return { data: null };
    }),
    detachedEndpoint(routes.getMe, async (request) => ({
      data: await getMe(partsOf(request), requireCaller(request).userId)
    })),
    detachedEndpoint(routes.enrolTotp, async (request) => ({
      data: await enrolTotp(partsOf(request), requireCaller(request))
    })),
    detachedEndpoint(routes.confirmTotp, async (request) => ({
      data: await giveTotpCode(partsOf(request), {
        caller: requireCaller(request),
        purpose: "confirm",
        code: request.body.code
      })
    })),
    detachedEndpoint(routes.verifyTotp, async (request) => ({
      data: await giveTotpCode(partsOf(request), {
        caller: requireCaller(request),
        purpose: "verify",
        code: request.body.code
      })
    }))
  ];
}
function requireCaller({ principal, claims }) {
  if (principal === null || claims === null)
    throw credentialInvalid("a call for users reached its handler without one");
  return { userId: principal.userId, sessionId: claims.sessionId, totpAtSeconds: claims.totpAtSeconds };
}

// src/identity/key-ring.ts
import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK as importJWK2 } from "jose";

// src/identity/signing-keys.queries.ts
async function listSigningKeys(tx) {
  return query(
    tx,
    `select kid, private_jwk #>> '{}' as stored from identity.signing_keys order by created_at desc, kid`
  );
}
async function insertFirstSigningKey(tx, key) {
  await query(tx, `select pg_advisory_xact_lock(hashtextextended('identity.signing_keys', 4))`);
  await query(
    tx,
    `insert into identity.signing_keys (kid, private_jwk)
     select :kid, cast(:json as jsonb) where not exists (select 1 from identity.signing_keys)`,
    { kid: key.kid, json: jsonOf(key) }
  );
}
async function lockOpenSigningKeys(tx, prefix) {
  return query(
    tx,
    `select kid, private_jwk #>> '{}' as stored from identity.signing_keys
     where not starts_with(private_jwk #>> '{}', :prefix) order by kid for update`,
    { prefix }
  );
}
async function updateSigningKey(tx, key) {
  await query(tx, "update identity.signing_keys set private_jwk = cast(:json as jsonb) where kid = :kid", {
    kid: key.kid,
    json: jsonOf(key)
  });
}
function jsonOf({ stored }) {
  return stored.startsWith("{") ? stored : JSON.stringify(stored);
}

// src/identity/key-ring.ts
var reloadPauseMs = 3e4;
var kidLengthMax2 = 128;
function createKeyRing(options) {
  let keys;
  let reloadedAtMs = Number.NEGATIVE_INFINITY;
  const load = () => {
    if (keys === void 0) {
      const loading = loadKeys(options);
      keys = loading;
      loading.catch(() => {
        if (keys === loading) keys = void 0;
      });
    }
    return keys;
  };
  const first2 = async () => {
    const [key] = await load();
    if (key === void 0) throw new Error("There is no signing key after one was made");
    return key;
  };
  const find = async (kid) => (await load()).find((key) => key.kid === kid);
  return {
    signingKey: first2,
    async findPublicKey(kid) {
      const known = await find(kid);
      const nowMs = options.clock().getTime();
      if (known !== void 0 || kid.length > kidLengthMax2 || nowMs - reloadedAtMs < reloadPauseMs) {
        return known?.publicKey;
      }
      reloadedAtMs = nowMs;
      const fresh = await loadKeys(options);
      keys = Promise.resolve(fresh);
      return (await find(kid))?.publicKey;
    },
    async publicKeys() {
      return (await load()).map(({ publicJwk }) => publicJwk);
    }
  };
}
async function loadKeys(parts) {
  const { database, sealing } = parts;
  const load = (stored2) => Promise.all(stored2.map((key) => toLoadedKey(key, sealing)));
  const stored = await identityTransaction(database, listSigningKeys);
  if (stored.length > 0) return load(stored);
  const made = await makeSigningKey(sealing);
  return load(
    await identityTransaction(database, async (tx) => {
      await insertFirstSigningKey(tx, made);
      return listSigningKeys(tx);
    })
  );
}
async function makeSigningKey(sealing) {
  const { privateKey } = await generateKeyPair("ES256", { extractable: true });
  const privateJwk = await exportJWK(privateKey);
  const kid = await calculateJwkThumbprint(privateJwk);
  return { kid, stored: await sealing.seal(JSON.stringify(privateJwk), signingKeyOwner(kid)) };
}
async function toLoadedKey({ kid, stored }, sealing) {
  const privateJwk = JSON.parse(await sealing.open(stored, signingKeyOwner(kid)));
  const { kty, crv, x, y } = privateJwk;
  const publicJwk = { kty, crv, x, y, kid, alg: "ES256", use: "sig" };
  return {
    kid,
    publicJwk,
    privateKey: await importJWK2(privateJwk, "ES256"),
    publicKey: await importJWK2(publicJwk, "ES256")
  };
}

// src/identity/seal-stored.ts
import { setTimeout as sleep3 } from "timers/promises";
var rowsAtOnce = 200;
var pauseMs3 = 50;
var pausesMax = 200;
async function sealStored(database, sealing) {
  const { prefix } = sealing;
  if (prefix === null) return;
  await identityTransaction(database, async (tx) => {
    for (const { kid, stored } of await lockOpenSigningKeys(tx, prefix)) {
      const owner = signingKeyOwner(kid);
      await updateSigningKey(tx, { kid, stored: await sealing.seal(await sealing.open(stored, owner), owner) });
    }
  });
  let pauses = 0;
  while (await identityTransaction(database, (tx) => hasOpenTotp(tx, prefix))) {
    const count2 = await sealBatch(database, sealing, prefix);
    if (count2 > 0) continue;
    if (pauses === pausesMax)
      throw new Error("Authenticators could not be encrypted: their rows stay locked. Start again.");
    pauses += 1;
    await sleep3(pauseMs3);
  }
}
async function sealBatch(database, sealing, prefix) {
  const again = async (stored, owner) => stored === null ? null : sealing.seal(await sealing.open(stored, owner), owner);
  return identityTransaction(database, async (tx) => {
    const rows = await lockOpenTotp(tx, { prefix, limit: rowsAtOnce });
    const changes = [];
    for (const { userId, secret, pendingSecret } of rows) {
      const owner = totpOwner(userId);
      changes.push({ userId, secret: await again(secret, owner), pendingSecret: await again(pendingSecret, owner) });
    }
    await updateTotpSecrets(tx, changes);
    return rows.length;
  });
}

// src/identity/verify-access-token.ts
import { jwtVerify as jwtVerify2 } from "jose";
var clockSkewSeconds3 = 30;
async function verifyAccessToken(request) {
  try {
    const { payload } = await jwtVerify2(request.token, (header) => chooseKey2(header, request.keyRing), {
      algorithms: ["ES256"],
      issuer: embeddedIssuer,
      audience: apiAudience,
      typ: "at+jwt",
      requiredClaims: ["sub", "session_id", "iat", "exp", "jti"],
      clockTolerance: clockSkewSeconds3,
      currentDate: request.now
    });
    return toSessionClaims(payload);
  } catch (error) {
    throw tokenRefusal(error);
  }
}
async function chooseKey2(header, keyRing) {
  requirePlainHeader(header);
  const key = typeof header.kid === "string" ? await keyRing.findPublicKey(header.kid) : void 0;
  if (key === void 0) throw credentialInvalid("unknown signing key");
  return key;
}
function toSessionClaims(payload) {
  const { sub, session_id: sessionId } = payload;
  if (typeof sub !== "string" || !isUuid(sub)) throw credentialInvalid("sub is not a UUID");
  if (typeof sessionId !== "string" || !isUuid(sessionId)) throw credentialInvalid("session_id is not a UUID");
  return { issuer: embeddedIssuer, subject: sub, sessionId, totpAtSeconds: latestTotpSeconds(payload.amr) };
}

// src/identity/index.ts
function createEmbeddedIdentity(options) {
  const { database, clock, randomBytes: randomBytes6 } = options;
  const sealing = createSealing(options.encryptionKeys ?? []);
  const keyRing = createKeyRing({ database, sealing, clock });
  const parts = {
    clock,
    randomBytes: randomBytes6,
    keyRing,
    sealing,
    registration: options.registration,
    stepUpMaxAgeSeconds: options.stepUpMaxAgeSeconds ?? 600,
    passwords: options.passwords ?? argon2id,
    newId: () => uuidv73({ msecs: clock().getTime(), random: randomBytes6(16) })
  };
  return {
    provider: {
      keepsSessions: true,
      verifyAccessToken: (token2) => verifyAccessToken({ token: token2, keyRing, now: clock() })
    },
    endpoints: createIdentityEndpoints(parts),
    async prepare() {
      await sealStored(database, sealing);
      await keyRing.signingKey();
    },
    jwks: async () => ({ keys: await keyRing.publicKeys() })
  };
}
async function addUser(parts, user) {
  await createUser({ ...parts, passwords: argon2id, newId: uuidv73, registration: "open" }, user);
}

// src/limits/log-redis-change.ts
function logRedisChange(logger, change) {
  if (!change.isAway) {
    logger.info("Redis answers again: rate limits are shared between processes.");
    return;
  }
  const { name, code } = change.error;
  logger.warn({ name, code }, "Redis does not answer: rate limits count in this process alone until it does.");
}

// src/limits/choose-policy.ts
function choosePolicy({ noun, method }) {
  if (method === "GET") return "reads";
  return noun === "credentials" ? "admin" : "writes";
}

// src/limits/rate-limit.ts
function tokenMicros({ limit, windowSeconds }) {
  return Math.ceil(windowSeconds * 1e6 / limit);
}

// src/limits/to-standing.ts
function toStanding(rateLimit, { isAllowed, debtMicros }) {
  const token2 = tokenMicros(rateLimit);
  const nextTokenMicros = debtMicros % token2 || token2;
  return {
    rateLimit,
    isAllowed,
    remaining: Math.floor((token2 * rateLimit.limit - debtMicros) / token2),
    nextTokenSeconds: Math.ceil(nextTokenMicros / 1e6)
  };
}

// src/limits/create-limiter.ts
function createLimiter(options) {
  const spend = async (policy, owner) => {
    const limit = options.rates[policy];
    if (limit === 0) return null;
    const rateLimit = { policy, limit, windowSeconds: 60 };
    return toStanding(rateLimit, await options.buckets.spend({ rateLimit, owner }));
  };
  return {
    spendCall: ({ principal, call: call2 }) => spend(choosePolicy(call2), `${principal.type}:${principal.id}`),
    spendFailure: (addressBlock) => spend("auth_failures", addressBlock)
  };
}

// src/limits/fallback-buckets.ts
var retryMs = 1e3;
var FallbackBuckets = class {
  #shared;
  #local;
  #elapsedMs;
  #onChange;
  #retryAtMs = null;
  /**
   * @param options.elapsedMs milliseconds of a clock that nobody sets
   * @param options.onChange told when the shared buckets go away, with the first error, and when they are back
   */
  constructor(options) {
    this.#shared = options.shared;
    this.#local = options.local;
    this.#elapsedMs = options.elapsedMs;
    this.#onChange = options.onChange;
  }
  async spend(bucket) {
    const nowMs = this.#elapsedMs();
    if (this.#retryAtMs !== null) {
      if (nowMs < this.#retryAtMs) return this.#local.spend(bucket);
      this.#retryAtMs = nowMs + retryMs;
    }
    try {
      const spent = await this.#shared.spend(bucket);
      this.#comeBack();
      this.#local.adopt(bucket, spent.debtMicros);
      return spent;
    } catch (error) {
      this.#goAway(error);
      return this.#local.spend(bucket);
    }
  }
  #goAway(error) {
    const wasAway = this.#retryAtMs !== null;
    this.#retryAtMs = this.#elapsedMs() + retryMs;
    if (!wasAway) this.#onChange({ isAway: true, error });
  }
  #comeBack() {
    const wasAway = this.#retryAtMs !== null;
    this.#retryAtMs = null;
    if (wasAway) this.#onChange({ isAway: false, error: void 0 });
  }
};

// src/limits/spend-token.ts
function spendToken(bucket) {
  const { nowMicros, rateLimit } = bucket;
  const token2 = tokenMicros(rateLimit);
  const capacity = token2 * rateLimit.limit;
  const debt = Math.min(Math.max((bucket.fullAtMicros ?? nowMicros) - nowMicros, 0), capacity);
  const isAllowed = debt + token2 <= capacity;
  const debtMicros = isAllowed ? debt + token2 : debt;
  return { isAllowed, debtMicros, fullAtMicros: nowMicros + debtMicros };
}

// src/limits/local-buckets.ts
var LocalBuckets = class {
  #nowMicros;
  #bucketsMax;
  /** By policy and owner, when a bucket will be full; the one that was touched longest ago comes first. */
  #fullAtMicros = /* @__PURE__ */ new Map();
  /**
   * @param options.nowMicros whole microseconds of a clock that nobody sets
   * @param options.bucketsMax how many buckets a policy keeps; beyond, the one touched longest ago is taken for full
   */
  constructor(options) {
    this.#nowMicros = options.nowMicros;
    this.#bucketsMax = options.bucketsMax;
  }
  async spend(bucket) {
    const { rateLimit, owner } = bucket;
    const nowMicros = this.#nowMicros();
    const fullAtMicros = this.#fullAtMicros.get(rateLimit.policy)?.get(owner) ?? null;
    const spent = spendToken({ fullAtMicros, nowMicros, rateLimit });
    this.#keep(bucket, spent.fullAtMicros);
    return { isAllowed: spent.isAllowed, debtMicros: spent.debtMicros };
  }
  /** Takes over how full a bucket is elsewhere, to go on from there. */
  adopt(bucket, debtMicros) {
    this.#keep(bucket, this.#nowMicros() + debtMicros);
  }
  /** How many buckets a policy keeps at this moment. */
  countBuckets(policy) {
    return this.#fullAtMicros.get(policy)?.size ?? 0;
  }
  #keep({ rateLimit, owner }, fullAtMicros) {
    const table = this.#fullAtMicros.get(rateLimit.policy) ?? /* @__PURE__ */ new Map();
    this.#fullAtMicros.set(rateLimit.policy, table);
    table.delete(owner);
    this.#forget(table);
    table.set(owner, fullAtMicros);
  }
  /** Looks at the two oldest each time one is kept, so the table shrinks faster than it grows and no request pays for all. */
  #forget(table) {
    const nowMicros = this.#nowMicros();
    let looks = 0;
    for (const [owner, fullAtMicros] of table) {
      looks += 1;
      if (looks > 2) return;
      if (fullAtMicros <= nowMicros || table.size >= this.#bucketsMax) table.delete(owner);
    }
  }
};

// src/limits/shared-buckets.ts
import { setTimeout as sleep4 } from "timers/promises";
var answerMsMax = 200;
var connectMsMax3 = 1e3;
var spendScript = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local token = tonumber(ARGV[1])
local capacity = token * tonumber(ARGV[2])
local full_at = tonumber(redis.call('GET', KEYS[1]) or '0')
local debt = math.min(math.max(full_at - now, 0), capacity)
if debt + token > capacity then return {0, debt} end
debt = debt + token
redis.call('SET', KEYS[1], string.format('%.0f', now + debt), 'PX', math.ceil(debt / 1000))
return {1, debt}
`;
async function connectSharedBuckets(url) {
  const { Redis } = await import("iovalkey");
  const redis = new Redis(url, {
    lazyConnect: true,
    commandTimeout: answerMsMax,
    connectTimeout: connectMsMax3,
    // What cannot be asked now is decided locally now; asked later, it would take a token for nothing.
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (times) => Math.min(times * 50, 1e3)
  });
  redis.on("error", () => {
  });
  const connected = redis.connect().catch(() => {
  });
  await Promise.race([connected, sleep4(connectMsMax3, void 0, { ref: false })]);
  return { spend: (bucket) => spendIn(redis, bucket), close: () => redis.disconnect() };
}
async function spendIn(redis, { rateLimit, owner }) {
  const key = `centavo:limit:${rateLimit.policy}:${owner}`;
  const answer = await redis.eval(spendScript, 1, key, tokenMicros(rateLimit), rateLimit.limit);
  const [isAllowed, debtMicros] = answer;
  return { isAllowed: isAllowed === 1, debtMicros };
}

// src/limits/open-limiter.ts
var bucketsMax = 1e5;
async function openLimiter(options) {
  const { rates, redisUrl, elapsedMs } = options;
  const local = new LocalBuckets({ nowMicros: () => Math.floor(elapsedMs() * 1e3), bucketsMax });
  if (redisUrl === null) return { ...createLimiter({ rates, buckets: local }), close: () => {
  } };
  const shared = await connectSharedBuckets(redisUrl);
  const buckets = new FallbackBuckets({ shared, local, elapsedMs, onChange: options.onRedisChange });
  return { ...createLimiter({ rates, buckets }), close: () => shared.close() };
}

// src/resources/accounts/account-in-use.queries.ts
function accountsInUseSql(...bindings) {
  const [only] = bindings;
  if (bindings.length === 1) return `pg_advisory_xact_lock_shared(${lockSql(`cast(:${only} as uuid)`)})`;
  const ids = bindings.map((name) => `cast(:${name} as uuid)`).join(", ");
  return `(select count(pg_advisory_xact_lock_shared(${lockSql("id")}))
    from (select id from unnest(array[${ids}]) as id order by id) as in_use)`;
}
async function waitForWritesOfAccount(tx, key) {
  await query(
    tx,
    `select pg_advisory_xact_lock(${lockSql("id")})
     from app.accounts where tracker_id = :trackerId and id = :id`,
    key
  );
}
function lockSql(accountId) {
  return `hashtextextended(cast(cast(:trackerId as uuid) as text) || ' ' || cast(${accountId} as text), 5)`;
}

// src/resources/accounts/account-view.ts
function toAccountView(row) {
  return {
    id: row.id,
    trackerId: row.tracker_id,
    name: row.name,
    type: row.type,
    currencyCode: row.currency_code,
    status: row.status,
    eligibleCashboxCount: row.status === "active" ? row.active_cashbox_count : 0,
    createdAt: row.created_at,
    updatedAt: row.updated_at
  };
}

// src/resources/accounts/accounts.queries.ts
var columns2 = `a.tracker_id, a.id, a.name, a.type, a.currency_code, a.status, a.created_at, a.updated_at,
  (select count(*)::int from app.cashboxes c
    where c.tracker_id = :trackerId and c.account_id = a.id and c.status = 'active') as active_cashbox_count`;
async function listActiveAccounts(tx, trackerId) {
  return query(
    tx,
    `select ${columns2} from app.accounts a
     where a.tracker_id = :trackerId and a.status = 'active'
     order by a.created_at, a.id`,
    { trackerId },
    { isLastRead: true }
  );
}
async function findAccountForUpdate(tx, key) {
  const [row] = await query(
    tx,
    `select ${columns2} from app.accounts a where a.tracker_id = :trackerId and a.id = :id for no key update`,
    key
  );
  return row;
}
async function countAccountsForCreate(tx, trackerId) {
  await query(tx, `select pg_advisory_xact_lock(hashtextextended('accounts ' || :trackerId, 4))`, { trackerId });
  const [row] = await query(
    tx,
    "select count(*)::int as count from app.accounts where tracker_id = :trackerId",
    { trackerId }
  );
  return row?.count ?? 0;
}
async function insertAccount(tx, account) {
  const [row] = await query(
    tx,
    `insert into app.accounts as a (tracker_id, id, name, type, currency_code)
     values (:trackerId, :id, :name, :type, :currencyCode)
     returning a.tracker_id, a.id, a.name, a.type, a.currency_code, a.status, a.created_at, a.updated_at,
       0 as active_cashbox_count`,
    account
  );
  if (row === void 0) throw new Error("An account was inserted without a row");
  return row;
}
async function updateAccount(tx, account) {
  const [row] = await query(
    tx,
    `update app.accounts a set name = :name, status = :status, updated_at = now()
     where a.tracker_id = :trackerId and a.id = :id
     returning ${columns2}`,
    account
  );
  if (row === void 0) throw new Error("An account that was held could not be updated");
  return row;
}

// src/resources/accounts/balance-view.ts
function toBalanceView(row) {
  return {
    accountId: row.account_id,
    accountName: row.account_name,
    cashboxId: row.cashbox_id,
    cashboxName: row.cashbox_name,
    currencyCode: row.currency_code,
    balanceDecimal: formatAmount(row.balance, row.currency_code),
    asOf: row.as_of
  };
}

// src/resources/accounts/cashbox-view.ts
function toCashboxView(row) {
  return {
    id: row.id,
    accountId: row.account_id,
    trackerId: row.tracker_id,
    name: row.name,
    currencyCode: row.currency_code,
    isEligible: row.status === "active" && row.account_status === "active",
    status: row.status,
    createdAt: row.created_at,
    updatedAt: row.updated_at
  };
}

// src/resources/accounts/cashboxes.queries.ts
var columns3 = `c.tracker_id, c.id, c.account_id, a.status as account_status, c.name, a.currency_code, c.status,
  c.created_at, c.updated_at`;
var cashboxesWithAccount = `app.cashboxes c
  join app.accounts a on a.tracker_id = c.tracker_id and a.id = c.account_id`;
async function listActiveCashboxes(tx, key) {
  const rows = await query(
    tx,
    `select ${columns3} from app.accounts a
     left join app.cashboxes c on c.tracker_id = a.tracker_id and c.account_id = a.id and c.status = 'active'
     where a.tracker_id = :trackerId and a.id = :accountId
     order by c.created_at, c.id`,
    key
  );
  return rows.length === 0 ? void 0 : rows.filter((row) => row.id !== null);
}
async function findCashboxForUpdate(tx, key) {
  const [row] = await query(
    tx,
    `select ${columns3} from ${cashboxesWithAccount}
     where c.tracker_id = :trackerId and c.id = :id
     for no key update of c`,
    key
  );
  return row;
}
async function countCashboxes(tx, key) {
  const [row] = await query(
    tx,
    "select count(*)::int as count from app.cashboxes where tracker_id = :trackerId and account_id = :accountId",
    key
  );
  return row?.count ?? 0;
}
async function insertCashboxes(tx, addition) {
  const { trackerId, accountId, cashboxes } = addition;
  return query(
    tx,
    `with c as (
       insert into app.cashboxes (tracker_id, id, account_id, name, opening_balance, balance)
       select :trackerId, added.id, :accountId, added.name, added.opening_balance, added.opening_balance
       from unnest(cast(:ids as uuid[]), cast(:names as text[]), cast(:openingBalances as numeric[]))
         as added (id, name, opening_balance)
       returning *
     )
     select ${columns3} from c join app.accounts a on a.tracker_id = c.tracker_id and a.id = c.account_id
     order by c.created_at, c.id`,
    {
      trackerId,
      accountId,
      ids: cashboxes.map(({ id }) => id),
      names: cashboxes.map(({ name }) => name),
      openingBalances: cashboxes.map(({ openingBalanceDecimal }) => openingBalanceDecimal)
    }
  );
}
async function updateCashbox(tx, cashbox) {
  const [row] = await query(
    tx,
    `update app.cashboxes c set name = :name, status = :status, updated_at = now()
     from app.accounts a
     where c.tracker_id = :trackerId and c.id = :id and a.tracker_id = c.tracker_id and a.id = c.account_id
     returning ${columns3}`,
    cashbox
  );
  if (row === void 0) throw new Error("A cashbox that was held could not be updated");
  return row;
}
async function listBalances(tx, trackerId) {
  return query(
    tx,
    `select a.id as account_id, a.name as account_name, c.id as cashbox_id, c.name as cashbox_name, a.currency_code,
       c.balance,
       (select coalesce(case when pg_is_in_recovery() then pg_last_xact_replay_timestamp() end, statement_timestamp())) as as_of
     from ${cashboxesWithAccount}
     where c.tracker_id = :trackerId and c.status = 'active' and a.status = 'active'
     order by a.created_at, a.id, c.created_at, c.id`,
    { trackerId },
    { isLastRead: true }
  );
}

// src/resources/accounts/opening-balance-issue.ts
function openingBalanceIssue(request) {
  const { openingBalanceDecimal, currencyCode: currencyCode2, path } = request;
  if (openingBalanceDecimal === void 0 || fitsCurrency(openingBalanceDecimal, currencyCode2)) return void 0;
  const message = `Send no more decimals than ${currencyCode2} has; amounts are never rounded.`;
  return { path, code: "AMOUNT_PRECISION", message };
}

// src/resources/accounts/create-account.ts
var accountsMax = 1e3;
function decideAccount(request) {
  const { body } = request;
  const currencyCode2 = body.currencyCode ?? request.trackerCurrencyCode;
  const issues = findOpeningBalanceIssues(body, currencyCode2);
  if (issues.length > 0) throw validationError(issues);
  if (request.existingCount >= accountsMax) {
    throw stateConflict("limit_reached", `There are ${accountsMax} accounts already; no more can be added.`);
  }
  const cashboxes = body.cashboxes ?? [{ name: body.name, openingBalanceDecimal: body.openingBalanceDecimal }];
  return {
    name: body.name,
    type: body.type,
    currencyCode: currencyCode2,
    cashboxes: cashboxes.map(({ name, openingBalanceDecimal = "0" }) => ({ name, openingBalanceDecimal }))
  };
}
function findOpeningBalanceIssues(body, currencyCode2) {
  const fields = [
    { openingBalanceDecimal: body.openingBalanceDecimal, path: "openingBalanceDecimal" },
    ...(body.cashboxes ?? []).map(({ openingBalanceDecimal }, index) => ({
      openingBalanceDecimal,
      path: `cashboxes.${index}.openingBalanceDecimal`
    }))
  ];
  return fields.flatMap((field) => openingBalanceIssue({ ...field, currencyCode: currencyCode2 }) ?? []);
}

// src/resources/accounts/create-cashbox.ts
function decideCashbox(request) {
  const { body, account } = request;
  if (account === void 0) throw notFound();
  const { openingBalanceDecimal } = body;
  const currencyCode2 = account.currency_code;
  const issue2 = openingBalanceIssue({ openingBalanceDecimal, currencyCode: currencyCode2, path: "openingBalanceDecimal" });
  if (issue2 !== void 0) throw validationError([issue2]);
  if (request.existingCount >= cashboxesPerAccountMax) {
    throw stateConflict("limit_reached", `The account has ${cashboxesPerAccountMax} cashboxes; no more can be added.`);
  }
  return { name: body.name, openingBalanceDecimal: openingBalanceDecimal ?? "0" };
}

// src/resources/accounts/rename-or-archive.ts
function decideNameAndStatus(request) {
  const { body, current } = request;
  if (current === void 0) throw notFound();
  const { name = current.name, status = current.status } = body;
  const change = {
    ...name === current.name ? {} : { name: [current.name, name] },
    ...status === current.status ? {} : { status: [current.status, status] }
  };
  return { name, status, change };
}

// src/resources/accounts/accounts.endpoints.ts
var accountsEndpoints = [
  loadingEndpoint(routes.listAccounts, {
    load: ({ tx, trackerId }) => listActiveAccounts(tx, trackerId),
    handle: async (_, rows) => ({ data: rows.map(toAccountView) })
  }),
  loadingEndpoint(routes.listCashboxes, {
    load: ({ tx, trackerId, pathParameters: { accountId } }) => listActiveCashboxes(tx, { trackerId, accountId }),
    handle: async (_, rows) => {
      if (rows === void 0) throw notFound();
      return { data: rows.map(toCashboxView) };
    }
  }),
  loadingEndpoint(routes.listBalances, {
    load: ({ tx, trackerId }) => listBalances(tx, trackerId),
    handle: async (_, rows) => ({ data: rows.map(toBalanceView) })
  }),
  endpoint(routes.createAccount, async ({ tx, body, tracker, newId }) => {
    const existingCount = await countAccountsForCreate(tx, tracker.id);
    const plan = decideAccount({ body, trackerCurrencyCode: tracker.currencyCode, existingCount });
    const { cashboxes: newCashboxes, ...newAccount } = plan;
    const account = await insertAccount(tx, { ...newAccount, trackerId: tracker.id, id: newId() });
    const cashboxes = await insertCashboxes(tx, {
      trackerId: tracker.id,
      accountId: account.id,
      cashboxes: newCashboxes.map((cashbox) => ({ ...cashbox, id: newId() }))
    });
    return {
      data: {
        ...toAccountView({ ...account, active_cashbox_count: cashboxes.length }),
        cashboxes: cashboxes.map(toCashboxView)
      },
      effect: { action: "account.created", resourceType: "account", resourceId: account.id, trackerId: tracker.id }
    };
  }),
  endpoint(routes.updateAccount, async ({ tx, body, pathParameters, tracker }) => {
    const key = { trackerId: tracker.id, id: pathParameters.accountId };
    const current = await findAccountForUpdate(tx, key);
    const { change, ...plan } = decideNameAndStatus({ body, current });
    if (current !== void 0 && Object.keys(change).length === 0) return { data: toAccountView(current) };
    if (plan.status === "archived") await waitForWritesOfAccount(tx, key);
    const row = await updateAccount(tx, { ...key, ...plan });
    return {
      data: toAccountView(row),
      effect: {
        action: "account.updated",
        resourceType: "account",
        resourceId: row.id,
        trackerId: tracker.id,
        change
      }
    };
  }),
  endpoint(routes.createCashbox, async ({ tx, body, pathParameters, tracker, newId }) => {
    const { accountId } = pathParameters;
    const account = await findAccountForUpdate(tx, { trackerId: tracker.id, id: accountId });
    const existingCount = await countCashboxes(tx, { trackerId: tracker.id, accountId });
    const plan = decideCashbox({ body, account, existingCount });
    const cashboxes = [{ ...plan, id: newId() }];
    const [row] = await insertCashboxes(tx, { trackerId: tracker.id, accountId, cashboxes });
    if (row === void 0) throw new Error("A cashbox was inserted without a row");
    return {
      data: toCashboxView(row),
      effect: { action: "cashbox.created", resourceType: "cashbox", resourceId: row.id, trackerId: tracker.id }
    };
  }),
  endpoint(routes.updateCashbox, async ({ tx, body, pathParameters, tracker }) => {
    const key = { trackerId: tracker.id, id: pathParameters.cashboxId };
    const current = await findCashboxForUpdate(tx, key);
    const { change, ...plan } = decideNameAndStatus({ body, current });
    if (current !== void 0 && Object.keys(change).length === 0) return { data: toCashboxView(current) };
    const row = await updateCashbox(tx, { ...key, ...plan });
    return {
      data: toCashboxView(row),
      effect: {
        action: "cashbox.updated",
        resourceType: "cashbox",
        resourceId: row.id,
        trackerId: tracker.id,
        change
      }
    };
  })
];

// src/resources/accounts/check-amount-and-date.ts
function checkAmountAndDate(request) {
  const issues = [];
  if (request.amountDecimal !== void 0 && !fitsCurrency(request.amountDecimal, request.accountCurrencyCode)) {
    issues.push({
      path: "amountDecimal",
      code: "AMOUNT_PRECISION",
      message: `Send no more decimals than ${request.accountCurrencyCode} has; amounts are never rounded.`
    });
  }
  if (request.currencyCode !== void 0 && request.currencyCode !== request.accountCurrencyCode) {
    issues.push({
      path: "currencyCode",
      code: "CURRENCY_MISMATCH",
      message: `The account keeps ${request.accountCurrencyCode}; send that or leave the field out.`
    });
  }
  const latest = addDays(request.today, daysAheadMax);
  if (request.occurredOn !== void 0 && request.occurredOn > latest) {
    issues.push({ path: "occurredOn", code: "OUT_OF_RANGE", message: `Send a date up to ${latest}.` });
  }
  return issues;
}

// src/resources/accounts/choose-cashbox.ts
function chooseCashbox(request) {
  const { named, cashboxes, path } = request;
  if (named !== void 0) {
    const cashbox = cashboxes.find(({ id }) => id === named);
    if (cashbox === void 0) throw notFound("cashbox");
    return cashbox.isEligible ? { id: cashbox.id } : { issue: noEligibleCashbox(path) };
  }
  const eligible = cashboxes.filter(({ isEligible }) => isEligible);
  const [only] = eligible;
  if (only === void 0) return { issue: noEligibleCashbox(path) };
  if (eligible.length === 1) return { id: only.id };
  return {
    issue: {
      path,
      code: "CASHBOX_SELECTION_REQUIRED",
      message: "The account has several eligible cashboxes; name one of eligibleCashboxIds.",
      eligibleCashboxIds: eligible.map(({ id }) => id)
    }
  };
}
function noEligibleCashbox(path) {
  return { path, code: "NO_ELIGIBLE_CASHBOX", message: "Choose an active cashbox of an active account." };
}

// src/resources/categories/categories.queries.ts
var usedByMovementSql = `(select true from app.movements m where m.tracker_id = :trackerId and m.category_id = c.id
  order by m.occurred_on desc limit 1)`;
var usedByBudgetLineSql = `(select true from app.budget_lines l where l.tracker_id = :trackerId and l.category_id = c.id
  order by l.id limit 1)`;
var ownCategorySql = "(c.scope = 'system' or c.tracker_id = :trackerId or c.user_id = :userId)";
var visibleCategorySql = `(${ownCategorySql}
  or c.scope = 'user' and (${usedByMovementSql} or ${usedByBudgetLineSql}))`;
var columns4 = "c.id, c.scope, c.tracker_id, c.user_id, c.name, c.kind, c.parent_id, c.status, c.created_at, c.updated_at";
async function listVisibleCategories(tx, caller) {
  return query(
    tx,
    // First those that can be seen at all, by their indexes: the table holds the categories of every tracker.
    `select ${columns4} from app.categories c
     where c.status = 'active' and ${visibleCategorySql} and c.id in (
       select o.id from app.categories o
       where o.scope = 'system' or o.scope = 'tracker' and o.tracker_id = :trackerId
         or o.scope = 'user' and o.user_id = :userId
       union all
       select u.category_id from app.categories_in_use u where u.tracker_id = :trackerId)
     order by c.name_folded, c.id`,
    caller
  );
}
async function findVisibleCategory(tx, key) {
  const [row] = await query(
    tx,
    `select ${columns4} from app.categories c where c.id = :categoryId and ${visibleCategorySql}`,
    key
  );
  return row ?? null;
}
async function listVisibleCategoryFacts(tx, keys) {
  if (keys.categoryIds.length === 0) return [];
  return query(
    tx,
    `select c.id, c.kind, c.status from app.categories c where c.id = any (:categoryIds) and ${visibleCategorySql}`,
    keys
  );
}
async function countCategoriesForCreate(tx, owner) {
  const lockName = `categories ${owner.trackerId ?? owner.userId}`;
  await query(tx, "select pg_advisory_xact_lock(hashtextextended(:lockName, 4))", { lockName });
  const [row] = await query(
    tx,
    `select count(*)::int as count from app.categories c
     where c.scope = 'tracker' and c.tracker_id = :trackerId or c.scope = 'user' and c.user_id = :userId`,
    owner
  );
  return row?.count ?? 0;
}
async function insertCategory(tx, category) {
  const [row] = await query(
    tx,
    `insert into app.categories as c (id, scope, tracker_id, user_id, name, name_folded, kind, parent_id)
     values (:id, :scope, :trackerId, :userId, :name, :nameFolded, :kind, :parentId)
     returning ${columns4}`,
    { ...category }
  );
  if (row === void 0) throw new Error("A category was inserted without a row");
  return row;
}

// src/resources/categories/category-view.ts
function toCategoryView(row) {
  return {
    id: row.id,
    name: row.name,
    kind: row.kind,
    scope: row.scope,
    trackerId: row.tracker_id,
    parentId: row.parent_id,
    isUnknown: row.id === unknownCategoryId,
    status: row.status,
    createdAt: row.created_at,
    updatedAt: row.updated_at
  };
}

// src/resources/categories/create-category.ts
var categoriesMax = 1e3;
function decideCategory(request) {
  const { body, parent } = request;
  const scope = body.scope ?? "tracker";
  if (parent === null) throw notFound("category");
  if (parent !== void 0 && !isUsableParent(parent, { scope, userId: request.userId })) {
    throw validationError([
      {
        path: "parentId",
        code: "CATEGORY_NOT_USABLE",
        message: `Choose a parent that is not archived, of scope system or ${scope === "user" ? "your own of scope user" : scope}.`
      }
    ]);
  }
  if (request.existingCount >= categoriesMax) {
    throw stateConflict("limit_reached", `There are ${categoriesMax} categories already; no more can be added.`);
  }
  return {
    id: request.id,
    scope,
    trackerId: scope === "tracker" ? request.trackerId : null,
    userId: scope === "user" ? request.userId : null,
    name: body.name,
    nameFolded: foldName(body.name),
    kind: body.kind ?? "any",
    parentId: body.parentId ?? null
  };
}
function isUsableParent(parent, child) {
  if (parent.status !== "active") return false;
  if (parent.scope === "system") return true;
  return parent.scope === child.scope && (parent.user_id === null || parent.user_id === child.userId);
}
function foldName(name) {
  return name.normalize("NFKC").toLowerCase().toUpperCase().toLowerCase().normalize("NFKC");
}

// src/resources/categories/categories.endpoints.ts
var categoriesEndpoints = [
  endpoint(routes.listCategories, async ({ tx, principal, tracker }) => {
    const rows = await listVisibleCategories(tx, { trackerId: tracker.id, userId: principal.userId });
    return { data: rows.map(toCategoryView) };
  }),
  endpoint(routes.getCategory, async ({ tx, pathParameters, principal, tracker }) => {
    const { categoryId } = pathParameters;
    const row = await findVisibleCategory(tx, { trackerId: tracker.id, userId: principal.userId, categoryId });
    if (row === null) throw notFound();
    return { data: toCategoryView(row) };
  }),
  endpoint(
    routes.createCategory,
    async ({ tx, body, principal, tracker, newId }) => {
      const { userId } = principal;
      const scope = body.scope ?? "tracker";
      const owner = scope === "tracker" ? { trackerId: tracker.id, userId: null } : { trackerId: null, userId };
      const parent = body.parentId === void 0 ? void 0 : await findVisibleCategory(tx, { trackerId: tracker.id, userId, categoryId: body.parentId });
      const existingCount = await countCategoriesForCreate(tx, owner);
      const id = `cat_${newId().replaceAll("-", "")}`;
      const category = decideCategory({ body, id, trackerId: tracker.id, userId, parent, existingCount });
      const row = await insertCategory(tx, category).catch((error) => {
        throw isNameTaken(error) ? stateConflict("name_taken", "There is a category of this name already.") : error;
      });
      return {
        data: toCategoryView(row),
        effect: {
          action: "category.created",
          resourceType: "category",
          resourceId: row.id,
          trackerId: owner.trackerId
        }
      };
    },
    // Either scope let the request in; the body tells which one it needs (contract, section 10a).
    ({ body, principal, tracker }) => requireAnyScope({ scopes: [`catalog:write:${body.scope ?? "tracker"}`], principal, tracker })
  )
];
function isNameTaken(error) {
  const constraint = violatedConstraint(error);
  return constraint === "categories_name_in_tracker" || constraint === "categories_name_of_user";
}

// src/resources/categories/category-usable.ts
function categoryIssue(request) {
  const { category, type, path } = request;
  if (category.status === "active" && (category.kind === "any" || category.kind === type)) return void 0;
  const message = category.status === "active" ? `Choose a category of kind ${type} or any.` : "Choose a category that is not archived.";
  return { path, code: "CATEGORY_NOT_USABLE", message };
}

// src/resources/budgets/budget-period.ts
function budgetStatus({ period_start, period_end }, today2) {
  if (today2 < period_start) return "upcoming";
  return today2 > period_end ? "closed" : "active";
}
function describeProgress(budget) {
  const daysTotal = daysBetween(budget.period_start, budget.period_end) + 1;
  const daysElapsed = Math.min(Math.max(daysBetween(budget.period_start, budget.today) + 1, 0), daysTotal);
  return {
    daysTotal,
    daysElapsed,
    elapsedRatio: ratio2(BigInt(daysElapsed), BigInt(daysTotal)),
    expenseRatio: budget.actual === null || budget.planned === 0n ? null : ratio2(budget.actual, budget.planned)
  };
}
function daysBetween(from, to) {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / 864e5);
}
function ratio2(part, whole) {
  const tenThousandths = (part * 20000n + whole) / (whole * 2n);
  const digits = String(tenThousandths).padStart(5, "0");
  return `${digits.slice(0, -4)}.${digits.slice(-4)}`;
}

// src/resources/budgets/budget-view.ts
function toBudgetView(row, today2) {
  return {
    id: row.id,
    trackerId: row.tracker_id,
    name: row.name,
    mode: row.mode,
    status: budgetStatus(row, today2),
    currencyCode: row.currency_code,
    periodStart: row.period_start,
    periodEnd: row.period_end,
    lineCount: row.line_count,
    createdAt: row.created_at,
    updatedAt: row.updated_at
  };
}
function toBudgetDetailView(budget) {
  const { row, today: today2 } = budget;
  const lines = budget.lines.map((line) => toBudgetLineView(line, row, budget.actuals));
  const expense = totalsOf("expense", lines, budget);
  return {
    ...toBudgetView(row, today2),
    lines,
    summary: { expense, income: totalsOf("income", lines, budget) },
    progress: describeProgress({
      ...row,
      today: today2,
      planned: minor(expense.plannedDecimal, row),
      actual: expense.actualDecimal === null ? null : minor(expense.actualDecimal, row)
    })
  };
}
function toBudgetLineView(line, budget, actuals) {
  const planned = formatAmount(line.planned, budget.currency_code);
  const actual = actuals.find(({ type, category_id }) => type === line.type && category_id === line.category_id)?.total ?? "0";
  const tracked = budget.mode === "tracking";
  return {
    id: line.id,
    budgetId: line.budget_id,
    categoryId: line.category_id,
    type: line.type,
    plannedDecimal: planned,
    actualDecimal: tracked ? formatAmount(actual, budget.currency_code) : null,
    remainingDecimal: tracked ? fromMinorUnits(minor(planned, budget) - minor(actual, budget), budget.currency_code) : null,
    note: line.note,
    createdAt: line.created_at
  };
}
function totalsOf(type, lines, budget) {
  const { row } = budget;
  const show = (minorUnits) => fromMinorUnits(minorUnits, row.currency_code);
  const own = lines.filter((line) => line.type === type);
  const planned = own.reduce((total, line) => total + minor(line.plannedDecimal, row), 0n);
  if (row.mode === "planning") {
    return { plannedDecimal: show(planned), actualDecimal: null, remainingDecimal: null, unplannedDecimal: null };
  }
  const actual = own.reduce((total, line) => total + minor(line.actualDecimal ?? "0", row), 0n);
  const everything = budget.actuals.filter((entry) => entry.type === type).reduce((total, entry) => total + minor(entry.total, row), 0n);
  return {
    plannedDecimal: show(planned),
    actualDecimal: show(actual),
    remainingDecimal: show(planned - actual),
    unplannedDecimal: show(everything - actual)
  };
}
function minor(amountDecimal, { currency_code }) {
  const [whole = "0", fraction = ""] = amountDecimal.split(".");
  if (whole.length <= 15) return toMinorUnits(amountDecimal, currency_code);
  const exponent = currencyExponent(currency_code);
  return BigInt(whole + fraction.slice(0, exponent).padEnd(exponent, "0"));
}

// src/resources/budgets/budgets.queries.ts
var columns5 = `b.id, b.tracker_id, b.name, b.mode, b.currency_code, b.period_start, b.period_end, b.created_at, b.updated_at,
  (select count(*)::int from app.budget_lines l where l.tracker_id = :trackerId and l.budget_id = b.id) as line_count`;
var lineColumns = "l.id, l.budget_id, l.category_id, l.type, l.planned, l.note, l.created_at";
async function listBudgets(tx, filters) {
  return query(
    tx,
    `select ${columns5} from app.budgets b
     where b.tracker_id = :trackerId and b.mode = coalesce(:mode, b.mode)
     order by b.period_start desc, b.created_at desc, b.id desc`,
    filters
  );
}
async function findBudget(tx, key) {
  const [row] = await query(
    tx,
    `select ${columns5} from app.budgets b where b.tracker_id = :trackerId and b.id = :id`,
    key
  );
  return row;
}
async function loadBudgetContents(tx, budget) {
  const [row] = await query(
    tx,
    `select
       (select coalesce(json_agg(json_build_object('id', l.id, 'budget_id', l.budget_id, 'category_id', l.category_id,
          'type', l.type, 'planned', l.planned::text, 'note', l.note, 'created_at', l.created_at) order by l.created_at, l.id), '[]')
        from app.budget_lines l where l.tracker_id = :trackerId and l.budget_id = :id) as lines,
       (select coalesce(json_agg(json_build_object('type', a.type, 'category_id', a.category_id, 'total', a.total::text)), '[]')
        from (
          select m.type, m.category_id, sum(m.amount) as total from app.movements m
          where m.tracker_id = :trackerId and m.kind = 'regular' and m.currency_code = :currencyCode
            and m.occurred_on between (select cast(:periodStart as date)) and (select cast(:periodEnd as date)) and :isTracked
          group by m.type, m.category_id
        ) a) as actuals`,
    {
      trackerId: budget.tracker_id,
      id: budget.id,
      currencyCode: budget.currency_code,
      periodStart: budget.period_start,
      periodEnd: budget.period_end,
      isTracked: budget.mode === "tracking"
    },
    { isLastRead: true }
  );
  return {
    lines: (row?.lines ?? []).map((line) => ({ ...line, created_at: toMoment(line.created_at) })),
    actuals: row?.actuals ?? []
  };
}
async function countBudgetsForCreate(tx, trackerId) {
  await query(tx, `select pg_advisory_xact_lock(hashtextextended('budgets ' || cast(:trackerId as text), 4))`, {
    trackerId
  });
  const [row] = await query(
    tx,
    "select count(*)::int as count from app.budgets where tracker_id = :trackerId",
    { trackerId }
  );
  return row?.count ?? 0;
}
async function insertBudget(tx, budget) {
  await query(
    tx,
    `insert into app.budgets (tracker_id, id, name, mode, currency_code, period_start, period_end)
     values (:trackerId, :id, :name, :mode, :currencyCode, cast(:periodStart as date), cast(:periodEnd as date))`,
    { ...budget }
  );
}
async function insertBudgetLines(tx, addition) {
  return query(
    tx,
    `with added as (
       select * from jsonb_to_recordset(cast(:lines as jsonb))
         as line (id uuid, "categoryId" text, type text, planned numeric, note text)
     ), used as (
       insert into app.categories_in_use (tracker_id, category_id)
       select distinct cast(:trackerId as uuid), "categoryId" from added
       on conflict do nothing
     ), touched as (
       update app.budgets set updated_at = now() where tracker_id = :trackerId and id = :budgetId
     )
     insert into app.budget_lines as l (tracker_id, id, budget_id, category_id, type, planned, note)
     select cast(:trackerId as uuid), id, cast(:budgetId as uuid), "categoryId", type, planned, note from added
     returning ${lineColumns}`,
    { trackerId: addition.trackerId, budgetId: addition.budgetId, lines: JSON.stringify(addition.lines) }
  );
}

// src/resources/budgets/create-budget.ts
var budgetsMax = 1e3;
function decideBudget(request) {
  const { body } = request;
  const currencyCode2 = body.currencyCode ?? request.trackerCurrencyCode;
  const lines = decideBudgetLines({
    bodies: body.lines ?? [],
    currencyCode: currencyCode2,
    categories: request.categories,
    pathOf: (index, field) => `lines.${index}.${field}`
  });
  const names = lines.map(({ categoryId, type }) => `${type} ${categoryId}`);
  if (new Set(names).size !== names.length) throw lineExists();
  if (request.existingCount >= budgetsMax) {
    throw stateConflict("limit_reached", `There are ${budgetsMax} budgets already; no more can be added.`);
  }
  const { name, mode, periodStart, periodEnd } = body;
  return { name, mode, currencyCode: currencyCode2, periodStart, periodEnd, lines };
}
function decideBudgetLines(request) {
  const { currencyCode: currencyCode2, pathOf: pathOf2 } = request;
  const issues = [];
  const lines = request.bodies.map((body, index) => {
    const type = body.type ?? "expense";
    const category = request.categories.find(({ id }) => id === body.categoryId);
    if (category === void 0) throw notFound("category");
    if (!fitsCurrency(body.plannedDecimal, currencyCode2)) {
      issues.push({
        path: pathOf2(index, "plannedDecimal"),
        code: "AMOUNT_PRECISION",
        message: `Send no more decimals than ${currencyCode2} has; amounts are never rounded.`
      });
    }
    const unusable = categoryIssue({ category, type, path: pathOf2(index, "categoryId") });
    if (unusable !== void 0) issues.push(unusable);
    return { categoryId: body.categoryId, type, planned: body.plannedDecimal, note: body.note ?? null };
  });
  if (issues.length > 0) throw validationError(issues);
  return lines;
}
function lineExists() {
  return stateConflict("line_exists", "The budget has a line for this category and type already.");
}

// src/resources/budgets/budgets.endpoints.ts
async function showBudget(tx, key) {
  return detailOf(tx, await findBudget(tx, key), key.today);
}
async function detailOf(tx, row, today2) {
  if (row === void 0) throw notFound();
  return toBudgetDetailView({ row, ...await loadBudgetContents(tx, row), today: today2 });
}
var budgetsEndpoints = [
  endpoint(routes.listBudgets, async ({ tx, query: filters, tracker }) => {
    const rows = await listBudgets(tx, { trackerId: tracker.id, mode: filters.mode ?? null });
    const { status } = filters;
    const shown = rows.filter((row) => status === void 0 || budgetStatus(row, tracker.today) === status);
    return { data: shown.map((row) => toBudgetView(row, tracker.today)) };
  }),
  loadingEndpoint(routes.getBudget, {
    load: ({ tx, trackerId, pathParameters }) => findBudget(tx, { trackerId, id: pathParameters.budgetId }),
    handle: async ({ tx, tracker }, row) => ({ data: await detailOf(tx, row, tracker.today) })
  }),
  endpoint(routes.createBudget, async ({ tx, body, principal, tracker, newId }) => {
    const categories = await listVisibleCategoryFacts(tx, {
      trackerId: tracker.id,
      userId: principal.userId,
      categoryIds: (body.lines ?? []).map(({ categoryId }) => categoryId)
    });
    const existingCount = await countBudgetsForCreate(tx, tracker.id);
    const plan = decideBudget({ body, trackerCurrencyCode: tracker.currencyCode, categories, existingCount });
    const { lines, ...budget } = plan;
    const id = newId();
    await insertBudget(tx, { ...budget, id, trackerId: tracker.id });
    if (lines.length > 0) {
      const added = lines.map((line) => ({ ...line, id: newId() }));
      await insertBudgetLines(tx, { trackerId: tracker.id, budgetId: id, lines: added });
    }
    return {
      data: await showBudget(tx, { trackerId: tracker.id, id, today: tracker.today }),
      effect: { action: "budget.created", resourceType: "budget", resourceId: id, trackerId: tracker.id }
    };
  }),
  endpoint(routes.addBudgetLine, async ({ tx, body, pathParameters: { budgetId }, principal, tracker, newId }) => {
    const budget = await findBudget(tx, { trackerId: tracker.id, id: budgetId });
    if (budget === void 0) throw notFound();
    const categories = await listVisibleCategoryFacts(tx, {
      trackerId: tracker.id,
      userId: principal.userId,
      categoryIds: [body.categoryId]
    });
    const plans = decideBudgetLines({
      bodies: [body],
      currencyCode: budget.currency_code,
      categories,
      pathOf: (_, field) => field
    });
    const lines = plans.map((line) => ({ ...line, id: newId() }));
    const [row] = await insertBudgetLines(tx, { trackerId: tracker.id, budgetId: budget.id, lines }).catch(
      (error) => {
        throw violatedConstraint(error) === "budget_lines_category_key" ? lineExists() : error;
      }
    );
    if (row === void 0) throw new Error("A budget line was inserted without a row");
    const { actuals } = await loadBudgetContents(tx, budget);
    return {
      data: toBudgetLineView(row, budget, actuals),
      effect: { action: "budget_line.added", resourceType: "budget_line", resourceId: row.id, trackerId: tracker.id }
    };
  })
];

// src/resources/context/context.queries.ts
var columnOf = { active: "active_tracker_id", default: "default_tracker_id" };
async function storeTrackerChoice(tx, stored) {
  const { userId, credentialId, choice, trackerId } = stored;
  const table = credentialId === null ? "app.users" : "app.credentials";
  await query(tx, `update ${table} set ${columnOf[choice]} = :trackerId where id = :id returning id`, {
    trackerId,
    id: credentialId ?? userId
  });
}
async function findPrincipalKeys(tx, principal) {
  const [row] = await query(
    tx,
    `select u.issuer, u.subject, c.secret_sha256
     from app.users u left join app.credentials c on c.id = cast(:credentialId as uuid)
     where u.id = :userId`,
    principal
  );
  if (row === void 0) throw new Error("The user of an entered request is gone");
  return { issuer: row.issuer, subject: row.subject, secretSha256: row.secret_sha256 };
}

// src/resources/context/context-view.ts
function toContextView(access) {
  const { principal, tracker } = access;
  return {
    activeTrackerId: tracker?.id ?? null,
    defaultTrackerId: principal.defaultTrackerId,
    resolvedBy: tracker?.resolvedBy ?? null,
    principal: {
      type: principal.type,
      id: principal.id,
      name: principal.name,
      kind: principal.kind,
      scopes: [...principal.scopes],
      expiresAt: principal.expiresAt
    }
  };
}

// src/resources/context/change-membership.ts
function decideMembership(request) {
  const { member, after } = request;
  if (member === void 0) throw notFound();
  if (member.role === "owner" && after !== "owner" && member.owner_count <= 1) {
    throw stateConflict("last_owner", "The tracker would be left without an owner. Make somebody else an owner first.");
  }
  return { member, change: member.role === after ? {} : { role: [member.role, after] } };
}

// src/resources/context/least-role-for-membership.ts
function leastRoleForMembership(membership) {
  const { before, after, isSelf } = membership;
  if (isSelf && after === null) return "viewer";
  return before === "owner" || after === "owner" ? "owner" : "admin";
}

// src/resources/context/member-view.ts
function toMemberView(row) {
  return {
    userId: row.user_id,
    email: row.email,
    displayName: row.display_name,
    role: row.role,
    createdAt: row.created_at
  };
}

// src/resources/context/members.queries.ts
var columns6 = "m.user_id, u.email, u.display_name, m.role, m.created_at";
async function listMembers(tx, trackerId) {
  return query(
    tx,
    `select ${columns6} from app.members m join app.users u on u.id = m.user_id
     where m.tracker_id = :trackerId
     order by m.created_at, m.user_id`,
    { trackerId }
  );
}
async function findMember(tx, key) {
  const [row] = await query(
    tx,
    `select ${columns6},
       (select count(*)::int from app.members o where o.tracker_id = :trackerId and o.role = 'owner') as owner_count
     from app.members m join app.users u on u.id = m.user_id
     where m.tracker_id = :trackerId and m.user_id = :userId`,
    { ...key }
  );
  return row;
}
async function holdMembership(tx, key) {
  await query(tx, "select pg_advisory_xact_lock(hashtextextended(cast(cast(:userId as uuid) as text), 2))", {
    userId: key.userId
  });
  await query(tx, "select id from app.trackers where id = :trackerId for no key update", { trackerId: key.trackerId });
}
async function findUserIdByEmail(tx, email) {
  const [row] = await query(tx, "select app.find_user_by_email(:email) as id", { email });
  return row?.id ?? null;
}
async function insertMember(tx, member) {
  await query(tx, "insert into app.members (tracker_id, user_id, role) values (:trackerId, :userId, :role)", {
    ...member
  });
}
async function updateMemberRole(tx, member) {
  await query(tx, "update app.members set role = :role where tracker_id = :trackerId and user_id = :userId", {
    ...member
  });
}
async function deleteMember(tx, key) {
  await query(tx, "delete from app.members where tracker_id = :trackerId and user_id = :userId", { ...key });
}

// src/resources/context/members.endpoints.ts
var membersEndpoints = [
  endpoint(routes.listMembers, async ({ tx, tracker }) => {
    const rows = await listMembers(tx, tracker.id);
    return { data: rows.map(toMemberView) };
  }),
  endpoint(routes.addMember, async ({ tx, body, tracker }) => {
    const { role } = body;
    requireRole(tracker.role, leastRoleForMembership({ before: null, after: role, isSelf: false }));
    const userId = await findUserIdByEmail(tx, body.email);
    if (userId === null) throw notFound("user");
    await insertMember(tx, { trackerId: tracker.id, userId, role }).catch((error) => {
      if (violatedConstraint(error) === "members_pkey") {
        throw stateConflict("already_member", "This user is a member of the tracker already.");
      }
      throw error;
    });
    const row = await findMember(tx, { trackerId: tracker.id, userId });
    if (row === void 0) throw new Error("A member was inserted without a row");
    return {
      data: toMemberView(row),
      effect: {
        action: "member.added",
        resourceType: "member",
        resourceId: userId,
        trackerId: tracker.id,
        change: { role: [null, role] }
      }
    };
  }),
  endpoint(routes.changeMemberRole, async ({ tx, body, pathParameters, principal, tracker }) => {
    const { role } = body;
    const key = { trackerId: tracker.id, userId: pathParameters.userId.toLowerCase() };
    await holdMembership(tx, key);
    const found = await findMember(tx, key);
    const isSelf = key.userId === principal.userId;
    requireRole(tracker.role, leastRoleForMembership({ before: found?.role ?? null, after: role, isSelf }));
    const { member, change } = decideMembership({ member: found, after: role });
    if (Object.keys(change).length === 0) return { data: toMemberView(member) };
    await updateMemberRole(tx, { ...key, role });
    return {
      data: toMemberView({ ...member, role }),
      effect: {
        action: "member.role_changed",
        resourceType: "member",
        resourceId: key.userId,
        trackerId: tracker.id,
        change
      }
    };
  }),
  endpoint(routes.removeMember, async ({ tx, pathParameters, principal, tracker, requestId, newId }) => {
    const key = { trackerId: tracker.id, userId: pathParameters.userId.toLowerCase() };
    await holdMembership(tx, key);
    const found = await findMember(tx, key);
    const isSelf = key.userId === principal.userId;
    requireRole(tracker.role, leastRoleForMembership({ before: found?.role ?? null, after: null, isSelf }));
    const { change } = decideMembership({ member: found, after: null });
    const effect = {
      action: "member.removed",
      resourceType: "member",
      resourceId: key.userId,
      trackerId: tracker.id,
      change
    };
    await recordAudit(tx, { id: newId(), effect, principal, requestId });
    await deleteMember(tx, key);
    return { data: null };
  })
];

// src/resources/context/tracker-view.ts
function toTrackerView(row) {
  return {
    id: row.id,
    name: row.name,
    role: row.role,
    currencyCode: row.currency_code,
    timeZone: row.time_zone,
    isActive: row.is_active,
    isDefault: row.is_default,
    createdAt: row.created_at,
    updatedAt: row.updated_at
  };
}

// src/resources/context/trackers.queries.ts
var trackersOfViewer = `select t.id, t.name, m.role, t.currency_code, t.time_zone, t.created_at, t.updated_at,
    t.id is not distinct from chosen.active_tracker_id as is_active,
    t.id is not distinct from chosen.default_tracker_id as is_default
  from app.trackers t
  join app.members m on m.tracker_id = t.id and m.user_id = :userId
  join (
    select active_tracker_id, default_tracker_id from app.users
    where id = :userId and cast(:credentialId as uuid) is null
    union all
    select active_tracker_id, default_tracker_id from app.credentials where id = cast(:credentialId as uuid)
  ) chosen on true`;
async function listTrackers(tx, selection) {
  return query(
    tx,
    `${trackersOfViewer} where t.id = any (cast(:trackerIds as uuid[])) order by t.created_at, t.id`,
    { ...selection }
  );
}
async function getTrackerForUpdate(tx, key) {
  const [row] = await query(tx, `${trackersOfViewer} where t.id = :trackerId for no key update of t`, {
    ...key
  });
  if (row === void 0) throw new Error("The tracker of an entered request is gone");
  return row;
}
async function insertTracker(tx, tracker) {
  await query(tx, "select app.create_tracker(:id, :name, :currencyCode, :timeZone)", { ...tracker });
}
async function updateTracker(tx, tracker) {
  const [row] = await query(
    tx,
    `update app.trackers set name = :name, time_zone = :timeZone, updated_at = now()
     where id = :trackerId
     returning updated_at`,
    tracker
  );
  if (row === void 0) throw new Error("A tracker that was held could not be updated");
  return row;
}

// src/resources/context/update-tracker.ts
function decideTrackerChange(request) {
  const { body, current } = request;
  const { name = current.name, timeZone = current.time_zone } = body;
  const change = {
    ...name === current.name ? {} : { name: [current.name, name] },
    ...timeZone === current.time_zone ? {} : { timeZone: [current.time_zone, timeZone] }
  };
  return { name, timeZone, change };
}

// src/resources/context/trackers.endpoints.ts
var trackersEndpoints = [
  endpoint(routes.listTrackers, async ({ tx, principal, eligibleTrackerIds }) => {
    const { userId, credentialId } = principal;
    const rows = await listTrackers(tx, { userId, credentialId, trackerIds: eligibleTrackerIds });
    return { data: rows.map(toTrackerView) };
  }),
  endpoint(routes.createTracker, async ({ tx, body, principal, newId }) => {
    const { userId, credentialId } = principal;
    const tracker = { ...body, id: newId() };
    await insertTracker(tx, tracker);
    const [row] = await listTrackers(tx, { userId, credentialId, trackerIds: [tracker.id] });
    if (row === void 0) throw new Error("A tracker was inserted without a row");
    return {
      data: toTrackerView(row),
      // Among the acts of the user: this transaction entered another tracker or none, and cannot write into the new one.
      effect: { action: "tracker.created", resourceType: "tracker", resourceId: row.id, trackerId: null }
    };
  }),
  endpoint(routes.updateTracker, async ({ tx, body, principal, tracker }) => {
    const { userId, credentialId } = principal;
    const current = await getTrackerForUpdate(tx, { userId, credentialId, trackerId: tracker.id });
    const { change, name, timeZone } = decideTrackerChange({ body, current });
    if (Object.keys(change).length === 0) return { data: toTrackerView(current) };
    const { updated_at } = await updateTracker(tx, { trackerId: tracker.id, name, timeZone });
    return {
      data: toTrackerView({ ...current, name, time_zone: timeZone, updated_at }),
      effect: {
        action: "tracker.updated",
        resourceType: "tracker",
        resourceId: tracker.id,
        trackerId: tracker.id,
        change
      }
    };
  })
];

// src/resources/context/context.endpoints.ts
var contextEndpoints = [
  endpoint(routes.getContext, async ({ principal, tracker }) => ({ data: toContextView({ principal, tracker }) })),
  endpoint(routes.setActiveTracker, (request) => chooseTracker(request, "active")),
  endpoint(routes.setDefaultTracker, (request) => chooseTracker(request, "default")),
  ...trackersEndpoints,
  ...membersEndpoints
];
async function chooseTracker(request, choice) {
  const { tx, body, principal } = request;
  const { trackerId } = body;
  if (!request.eligibleTrackerIds.includes(trackerId)) throw trackerForbidden([trackerId]);
  const { userId, credentialId } = principal;
  await storeTrackerChoice(tx, { userId, credentialId, choice, trackerId });
  const { defaultTrackerId, tracker } = await enterWithoutHeader(tx, principal);
  const field = `${choice}TrackerId`;
  const change = { [field]: [principal[field], trackerId] };
  const effect = {
    action: `context.${choice}_tracker_chosen`,
    resourceType: "tracker",
    resourceId: trackerId,
    trackerId: null,
    change
  };
  return {
    data: toContextView({ principal: { ...principal, defaultTrackerId }, tracker }),
    trackerId: tracker?.id ?? null,
    ...principal[field] === trackerId ? {} : { effect }
  };
}
async function enterWithoutHeader(tx, principal) {
  const { userId, credentialId } = principal;
  const keys = await findPrincipalKeys(tx, { userId, credentialId });
  const facts = await enterRequest(tx, {
    ...keys,
    sessionId: null,
    trackerId: null,
    isWrite: false,
    idempotencyKey: null
  });
  const stored = facts.credential ?? facts.user;
  return { defaultTrackerId: stored?.defaultTrackerId ?? null, tracker: facts.tracker };
}

// src/resources/movements/movement-view.ts
function toNewMovementRow(plan, write) {
  const { id, tracker, source } = write;
  return {
    tracker_id: tracker.id,
    id,
    type: plan.type,
    kind: "regular",
    amount: plan.amountDecimal,
    currency_code: plan.currencyCode,
    account_id: plan.accountId,
    cashbox_id: plan.cashboxId,
    category_id: plan.categoryId,
    occurred_on: plan.occurredOn,
    description: plan.description,
    merchant_name: plan.merchantName,
    transfer_group_id: null,
    source_type: source.type,
    source_id: source.id,
    version: 1,
    created_at: tracker.now,
    updated_at: tracker.now
  };
}
function toMovementView(row) {
  return toListedView(row, row.tracker_id);
}
function toListedView(row, trackerId) {
  return {
    id: row.id,
    trackerId,
    type: row.type,
    kind: row.transfer_group_id === null ? "regular" : "transfer",
    amountDecimal: formatAmount(row.amount, row.currency_code),
    currencyCode: row.currency_code,
    accountId: row.account_id,
    cashboxId: row.cashbox_id,
    categoryId: row.category_id,
    occurredOn: row.occurred_on,
    description: row.description,
    merchantName: row.merchant_name,
    transferGroupId: row.transfer_group_id,
    source: { type: row.source_type, id: row.source_id },
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at ?? row.created_at
  };
}

// src/resources/movements/movement-version.ts
import { createHash as createHash9 } from "crypto";
function movementEtag(movement) {
  const digest = createHash9("sha256").update(`${movement.id}|${movement.version}`).digest("base64url");
  return `"${digest.slice(0, 22)}"`;
}

// src/resources/movements/correct-movement.ts
function decideCorrection(request) {
  const { body, current } = request;
  if (current === void 0) throw notFound();
  const currentEtag = movementEtag(current);
  if (!request.ifMatch.includes(currentEtag)) throw versionConflict(currentEtag);
  if (current.kind === "transfer" || current.category_id === null) {
    throw stateConflict("transfer_leg", "A leg of a transfer is not corrected on its own.");
  }
  if (request.category === null) throw notFound("category");
  const issues = checkAmountAndDate({
    amountDecimal: body.amountDecimal,
    currencyCode: void 0,
    occurredOn: void 0,
    accountCurrencyCode: current.currency_code,
    today: request.today
  });
  const isRecategorised = request.category !== void 0 && request.category.id !== current.category_id;
  if (request.category !== void 0 && isRecategorised) {
    const unusable = categoryIssue({ category: request.category, type: current.type, path: "categoryId" });
    if (unusable !== void 0) issues.push(unusable);
  }
  if (issues.length > 0) throw validationError(issues);
  const after = {
    amount: body.amountDecimal === void 0 ? current.amount : withFourDecimals(body.amountDecimal),
    categoryId: body.categoryId === void 0 ? current.category_id : body.categoryId ?? unknownCategoryId,
    description: body.description === void 0 ? current.description : body.description,
    merchantName: body.merchantName === void 0 ? current.merchant_name : body.merchantName
  };
  const before = {
    amount: current.amount,
    categoryId: current.category_id,
    description: current.description,
    merchantName: current.merchant_name
  };
  const changed = Object.keys(after).filter((field) => after[field] !== before[field]);
  return { ...after, change: Object.fromEntries(changed.map((field) => [field, [before[field], after[field]]])) };
}
function versionConflict(currentEtag) {
  return new ApiError({
    code: "VERSION_CONFLICT",
    message: "The movement has changed since you fetched it. Fetch it again, decide, and send its new ETag.",
    details: { currentEtag },
    headers: { ETag: currentEtag }
  });
}
function withFourDecimals(amountDecimal) {
  const [whole = "0", fraction = ""] = amountDecimal.split(".");
  return `${whole}.${fraction.padEnd(4, "0")}`;
}

// src/resources/movements/create-movement.ts
function decideMovement(request) {
  const { body, facts, today: today2 } = request;
  const { account } = facts;
  if (account === null) throw notFound("account");
  if (facts.category === null) throw notFound("category");
  const cashbox = chooseCashbox({ named: body.cashboxId, cashboxes: facts.cashboxes, path: "cashboxId" });
  const issues = checkAmountAndDate({
    amountDecimal: body.amountDecimal,
    currencyCode: body.currencyCode,
    occurredOn: body.occurredOn,
    accountCurrencyCode: account.currencyCode,
    today: today2
  });
  const unusable = categoryIssue({ category: facts.category, type: body.type, path: "categoryId" });
  if (unusable !== void 0) issues.push(unusable);
  if (cashbox.issue !== void 0) issues.push(cashbox.issue);
  if (cashbox.id === void 0 || issues.length > 0) throw validationError(issues);
  return {
    type: body.type,
    amountDecimal: body.amountDecimal,
    currencyCode: account.currencyCode,
    accountId: account.id,
    cashboxId: cashbox.id,
    categoryId: body.categoryId ?? unknownCategoryId,
    occurredOn: body.occurredOn ?? today2,
    description: body.description ?? null,
    merchantName: body.merchantName ?? null
  };
}

// src/resources/movements/movement-cursor.ts
function formatMovementCursor(position) {
  return Buffer.from(`${position.occurredOn} ${position.createdAt} ${position.id}`).toString("base64url");
}
function parseMovementCursor(cursor) {
  const [occurredOn = "", createdAt = "", id = "", ...rest] = Buffer.from(cursor, "base64url").toString().split(" ");
  const isTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/.test(createdAt) && !Number.isNaN(Date.parse(createdAt));
  const daysAreKnown = isKnownDay(occurredOn) && isKnownDay(createdAt.slice(0, 10));
  if (rest.length > 0 || !isTime || !daysAreKnown || !isUuid(id)) return void 0;
  const position = { occurredOn, createdAt, id };
  return formatMovementCursor(position) === cursor ? position : void 0;
}
function isKnownDay(date) {
  return isCalendarDate(date) && date >= earliestDate;
}

// src/resources/movements/list-movements.ts
function choosePageStart(filters) {
  if (filters.cursor === void 0) return { after: null, offset: filters.offset ?? 0 };
  const after = parseMovementCursor(filters.cursor);
  if (after === void 0) {
    throw validationError([
      { path: "query.cursor", code: "INVALID_FORMAT", message: "Send nextCursor of the previous page, unchanged." }
    ]);
  }
  return { after, offset: 0 };
}
function describePage(page2) {
  const { limit, cursor, offset = 0 } = page2.filters;
  const shown = page2.rows.slice(0, limit);
  const hasMore = page2.rows.length > limit;
  const last = shown.at(-1);
  return {
    shown,
    pagination: {
      limit,
      offset: cursor === void 0 ? offset : null,
      count: shown.length,
      total: page2.total,
      hasMore,
      // Beyond the largest offset only the cursor goes on.
      nextOffset: cursor === void 0 && hasMore && offset + limit <= pageOffsetMax ? offset + limit : null,
      nextCursor: hasMore && last !== void 0 ? formatMovementCursor({
        occurredOn: last.occurred_on,
        createdAt: last.created_at,
        id: last.id
      }) : null
    }
  };
}

// src/resources/movements/list-movements.queries.ts
var conditions = {
  type: "m.type = :type",
  accountId: "m.account_id = :accountId",
  cashboxId: "m.cashbox_id = :cashboxId",
  from: "m.occurred_on >= cast(:from as date)",
  to: "m.occurred_on <= cast(:to as date)"
};
var kindConditions = { regular: `m.kind = 'regular'`, transfer: `m.kind = 'transfer'` };
var keptCounts = {
  expense: "c.expense_count",
  income: "c.income_count",
  any: "c.expense_count + c.income_count"
};
var columns7 = `id, type, amount, currency_code, account_id, cashbox_id, category_id, occurred_on, description, merchant_name,
  transfer_group_id, source_type, source_id, version, created_at, nullif(updated_at, created_at) as updated_at`;
var newestFirst = "order by m.occurred_on desc, m.created_at desc, m.id desc";
async function listMovements(tx, page2) {
  const { after, filters } = page2;
  const bindings = {
    trackerId: page2.trackerId,
    type: filters.type ?? null,
    accountId: filters.accountId ?? null,
    cashboxId: filters.cashboxId ?? null,
    from: filters.from ?? null,
    to: filters.to ?? null,
    categoryId: filters.categoryIds?.[0] ?? null,
    categoryIds: filters.categoryIds ?? null,
    afterDate: after?.occurredOn ?? null,
    afterCreatedAt: after?.createdAt ?? null,
    afterId: after?.id ?? null,
    limit: page2.limit + 1,
    offset: page2.offset
  };
  const sql = statementFor(page2);
  if (!page2.includeTotal) {
    return { rows: await query(tx, sql, bindings, { isLastRead: true }), total: null };
  }
  const rows = await query(tx, sql, bindings, {
    isLastRead: true
  });
  return {
    rows: rows.filter((row) => row.id !== null),
    total: rows[0]?.total ?? null
  };
}
var statements = /* @__PURE__ */ new Map();
function statementFor(page2) {
  const { kind, type, categoryIds = [] } = page2.filters;
  const shape = [
    ...presentConditions(page2.filters),
    ...[kind, type, Math.min(categoryIds.length, 2), page2.after === null, page2.offset === 0, page2.includeTotal]
  ].join();
  const known = statements.get(shape);
  if (known !== void 0) return known;
  const sql = page2.includeTotal ? sqlWithTotal(page2) : sqlOfPage(page2);
  statements.set(shape, sql);
  return sql;
}
function presentConditions(filters) {
  const names = Object.keys(conditions);
  return names.filter((name) => filters[name] !== void 0);
}
function sqlOfConditions(filters) {
  const { kind, categoryIds = [] } = filters;
  return [
    "m.tracker_id = :trackerId",
    ...presentConditions(filters).map((name) => conditions[name]),
    ...kind === void 0 ? [] : [kindConditions[kind]],
    ...categoryIds.length === 1 ? ["m.category_id = :categoryId"] : []
  ].join(" and ");
}
function sqlOfPage({ filters, after, offset }) {
  const filtered = sqlOfConditions(filters);
  const position = after === null ? "" : `and (m.occurred_on, m.created_at, m.id)
           < (cast(:afterDate as date), cast(:afterCreatedAt as timestamptz(3)), cast(:afterId as uuid))`;
  const reach = `limit ${pageLimitMax + 1}${offset === 0 ? "" : " + cast(:offset as integer)"}`;
  const found = (filters.categoryIds ?? []).length > 1 ? `select m.* from unnest(cast(:categoryIds as text[])) wanted (category_id)
         cross join lateral (
           select ${columns7} from app.movements m
           where ${filtered} and m.category_id = wanted.category_id ${position} ${newestFirst} ${reach}
         ) m ${newestFirst}` : `select ${columns7} from app.movements m where ${filtered} ${position} ${newestFirst} ${reach}`;
  return `select * from (${found}) found limit :limit ${offset === 0 ? "" : "offset :offset"}`;
}
function sqlWithTotal(page2) {
  const { filters } = page2;
  const counted = isKeptInCashboxes(filters) ? `select coalesce(sum(${keptCounts[filters.type ?? "any"]}), 0)::int as total from app.cashboxes c
       where c.tracker_id = :trackerId ${filters.accountId === void 0 ? "" : "and c.account_id = :accountId"}
         ${filters.cashboxId === void 0 ? "" : "and c.id = :cashboxId"}` : `select count(*)::int as total from app.movements m
       where ${sqlOfConditions(filters)}
         ${(filters.categoryIds ?? []).length > 1 ? "and m.category_id = any (cast(:categoryIds as text[]))" : ""}`;
  return `select page.*, counted.total from (${counted}) counted left join lateral (${sqlOfPage(page2)}) page on true`;
}
function isKeptInCashboxes({ kind, categoryIds, from, to }) {
  return [kind, categoryIds, from, to].every((filter) => filter === void 0);
}

// src/resources/movements/movements.queries.ts
var columns8 = `tracker_id, id, type, kind, amount, currency_code, account_id, cashbox_id, category_id, occurred_on,
  description, merchant_name, transfer_group_id, source_type, source_id, version, created_at, updated_at`;
async function loadCreateMovementFacts(tx, names) {
  const [row] = await query(
    tx,
    `select ${accountsInUseSql("accountId")} as held,
       (select json_build_object('id', a.id, 'currencyCode', a.currency_code, 'cashboxes', (
          select coalesce(json_agg(json_build_object('id', c.id, 'isEligible', c.status = 'active' and a.status = 'active')
            order by c.created_at, c.id), '[]')
          from app.cashboxes c where c.tracker_id = :trackerId and c.account_id = :accountId))
        from app.accounts a where a.tracker_id = :trackerId and a.id = :accountId) as account,
       (select json_build_object('id', c.id, 'kind', c.kind, 'status', c.status, 'isInUse', exists (
          select from app.categories_in_use u where u.tracker_id = :trackerId and u.category_id = c.id))
        from app.categories c where c.id = :categoryId and ${ownCategorySql}) as category`,
    names
  );
  const { account = null, category = null } = row ?? {};
  return { account, cashboxes: account?.cashboxes ?? [], category, isCategoryInUse: category?.isInUse === true };
}
var andUsed = `, used as (
       insert into app.categories_in_use (tracker_id, category_id) values (:tracker_id, :category_id) on conflict do nothing
     )`;
async function insertMovement(tx, row, { isCategoryInUse }) {
  await query(
    tx,
    `with moved as (
       update app.cashboxes
       set balance = case when status = 'active' and exists (
           select 1 from app.accounts where tracker_id = :tracker_id and id = :account_id and status = 'active')
           then balance + case when :type = 'income' then cast(:amount as numeric) else -cast(:amount as numeric) end end,
         expense_count = expense_count + case when :type = 'expense' then 1 else 0 end,
         income_count = income_count + case when :type = 'income' then 1 else 0 end
       where tracker_id = :tracker_id and id = :cashbox_id
     )${isCategoryInUse ? "" : andUsed}
     insert into app.movements (${columns8})
     values (:tracker_id, :id, :type, :kind, cast(:amount as numeric), :currency_code, :account_id, :cashbox_id,
       :category_id, cast(:occurred_on as date), :description, :merchant_name, :transfer_group_id, :source_type, :source_id,
       :version, cast(:created_at as timestamptz), cast(:updated_at as timestamptz))`,
    { ...row }
  ).catch((error) => {
    throw violatesNotNull(error, "balance") ? new StaleFacts() : error;
  });
}
async function findMovement(tx, key) {
  const [row] = await query(
    tx,
    `select ${columns8} from app.movements where tracker_id = :trackerId and id = :id`,
    { ...key },
    { isLastRead: true }
  );
  return row;
}
async function updateMovement(tx, correction) {
  const { current } = correction;
  const [row] = await query(
    tx,
    `with used as (
       insert into app.categories_in_use (tracker_id, category_id) values (:trackerId, :categoryId) on conflict do nothing
     ), corrected as (
       update app.movements
       set amount = cast(:amount as numeric), category_id = :categoryId, description = :description,
         merchant_name = :merchantName, version = version + 1, updated_at = now()
       where tracker_id = :trackerId and id = :id and version = :version
       returning ${columns8}
     ), moved as (
       update app.cashboxes c
       set balance = c.balance + (cast(:amount as numeric) - cast(:amountBefore as numeric))
         * case when corrected.type = 'income' then 1 else -1 end
       from corrected
       where c.tracker_id = :trackerId and c.id = corrected.cashbox_id
     )
     select * from corrected`,
    {
      trackerId: current.tracker_id,
      id: current.id,
      version: current.version,
      amountBefore: current.amount,
      amount: correction.amount,
      categoryId: correction.categoryId,
      description: correction.description,
      merchantName: correction.merchantName
    }
  );
  return row;
}

// src/resources/movements/movements-json.ts
function toMovementsJson(movements) {
  let text3 = "";
  for (const movement of movements) text3 += `${text3 === "" ? "" : ","}${movementJson(movement)}`;
  return `[${text3}]`;
}
function movementJson(movement) {
  const { id, trackerId, type, kind, amountDecimal, currencyCode: currencyCode2, accountId, cashboxId, occurredOn, source } = movement;
  return `{"id":"${id}","trackerId":"${trackerId}","type":"${type}","kind":"${kind}","amountDecimal":"${amountDecimal}","currencyCode":"${currencyCode2}","accountId":"${accountId}","cashboxId":"${cashboxId}","categoryId":${textJson(movement.categoryId)},"occurredOn":"${occurredOn}","description":${textJson(movement.description)},"merchantName":${textJson(movement.merchantName)},"transferGroupId":${textJson(movement.transferGroupId)},"source":{"type":"${source.type}","id":"${source.id}"},"version":${movement.version},"createdAt":"${movement.createdAt}","updatedAt":"${movement.updatedAt}"}`;
}
var plain = /^[ !#-[\]-~]*$/;
function textJson(text3) {
  return text3 !== null && plain.test(text3) ? `"${text3}"` : JSON.stringify(text3);
}

// src/resources/movements/movements.endpoints.ts
var movementsEndpoints = [
  loadingEndpoint(routes.createMovement, {
    load: ({ tx, trackerId, userId, body: { accountId, categoryId } }) => loadCreateMovementFacts(tx, { trackerId, userId, accountId, categoryId: categoryId ?? unknownCategoryId }),
    handle: async ({ tx, body, principal, tracker, newId }, loaded) => {
      const { userId } = principal;
      const { categoryId = unknownCategoryId } = body;
      const category = loaded.category ?? await findVisibleCategory(tx, { trackerId: tracker.id, userId, categoryId });
      const plan = decideMovement({ body, facts: { ...loaded, category }, today: tracker.today });
      const row = toNewMovementRow(plan, { id: newId(), tracker, source: principal });
      tx.sendWithCommit(() => insertMovement(tx, row, loaded));
      return {
        data: toMovementView(row),
        etag: movementEtag(row),
        effect: { action: "movement.created", resourceType: "movement", resourceId: row.id, trackerId: tracker.id }
      };
    }
  }),
  loadingEndpoint(routes.getMovement, {
    load: ({ tx, trackerId, pathParameters }) => findMovement(tx, { trackerId, id: pathParameters.movementId }),
    handle: async (_, row) => {
      if (row === void 0) throw notFound();
      return { data: toMovementView(row), etag: movementEtag(row) };
    }
  }),
  loadingEndpoint(routes.correctMovement, {
    load: ({ tx, trackerId, pathParameters }) => findMovement(tx, { trackerId, id: pathParameters.movementId }),
    handle: async ({ tx, body, ifMatch, principal, tracker }, current) => {
      const named = body.categoryId === null ? unknownCategoryId : body.categoryId;
      const category = named === void 0 ? void 0 : await findVisibleCategory(tx, { trackerId: tracker.id, userId: principal.userId, categoryId: named });
      const plan = decideCorrection({ body, current, category, ifMatch, today: tracker.today });
      if (current === void 0) throw notFound();
      if (Object.keys(plan.change).length === 0) return { data: toMovementView(current), etag: movementEtag(current) };
      const row = await updateMovement(tx, { ...plan, current });
      if (row === void 0) throw new StaleFacts();
      return {
        data: toMovementView(row),
        etag: movementEtag(row),
        effect: {
          action: "movement.corrected",
          resourceType: "movement",
          resourceId: row.id,
          trackerId: tracker.id,
          change: plan.change
        }
      };
    }
  }),
  loadingEndpoint(routes.listMovements, {
    load: ({ tx, query: filters, trackerId }) => {
      const { after, offset } = choosePageStart(filters);
      const { limit, includeTotal } = filters;
      return listMovements(tx, { trackerId, filters, limit, offset, after, includeTotal });
    },
    handle: async ({ query: filters, tracker }, page2) => {
      const { shown, pagination: pagination3 } = describePage({ filters, ...page2 });
      const movements = shown.map((row) => toListedView(row, tracker.id));
      return { data: new WrittenJson(toMovementsJson(movements)), pagination: pagination3 };
    }
  })
];

// src/resources/transfers/create-transfer.ts
function decideTransfer(request) {
  const { body, today: today2 } = request;
  const { from, to } = request.facts;
  if (from === null || to === null) throw notFound("account");
  const source = chooseCashbox({ named: body.fromCashboxId, cashboxes: from.cashboxes, path: "fromCashboxId" });
  const target = chooseCashbox({ named: body.toCashboxId, cashboxes: to.cashboxes, path: "toCashboxId" });
  const issues = checkAmountAndDate({
    amountDecimal: body.amountDecimal,
    currencyCode: body.currencyCode,
    occurredOn: body.occurredOn,
    accountCurrencyCode: from.currencyCode,
    today: today2
  });
  if (from.currencyCode !== to.currencyCode) {
    issues.push({
      path: "toAccountId",
      code: "CURRENCY_MISMATCH",
      message: "The two accounts keep different currencies; record an expense and an income instead."
    });
  }
  for (const side of [source, target]) if (side.issue !== void 0) issues.push(side.issue);
  if (source.id !== void 0 && source.id === target.id) {
    issues.push({
      path: "toCashboxId",
      code: "SAME_SOURCE_AND_DESTINATION",
      message: "Choose two different cashboxes."
    });
  }
  if (source.id === void 0 || target.id === void 0 || issues.length > 0) throw validationError(issues);
  return {
    amountDecimal: body.amountDecimal,
    currencyCode: from.currencyCode,
    fromAccountId: from.id,
    fromCashboxId: source.id,
    toAccountId: to.id,
    toCashboxId: target.id,
    occurredOn: body.occurredOn ?? today2,
    description: body.description ?? null
  };
}

// src/resources/transfers/transfer-view.ts
function toTransferView(groupId, [outgoing, incoming]) {
  const out = toMovementView(outgoing);
  return {
    groupId,
    trackerId: out.trackerId,
    amountDecimal: out.amountDecimal,
    currencyCode: out.currencyCode,
    occurredOn: out.occurredOn,
    description: out.description,
    from: sideOf(outgoing),
    to: sideOf(incoming),
    movements: [out, toMovementView(incoming)],
    createdAt: out.createdAt
  };
}
function sideOf(leg) {
  return { accountId: leg.account_id, cashboxId: leg.cashbox_id, movementId: leg.id };
}

// src/resources/transfers/transfers.queries.ts
var legColumns = `m.tracker_id, m.id, m.type, m.kind, m.amount, m.currency_code, m.account_id, m.cashbox_id, m.category_id,
  m.occurred_on, m.description, m.merchant_name, m.transfer_group_id, m.source_type, m.source_id, m.version, m.created_at,
  m.updated_at`;
async function loadCreateTransferFacts(tx, names) {
  const rows = await query(
    tx,
    `select ${accountsInUseSql("fromAccountId", "toAccountId")} as held, json_build_object('id', a.id, 'currencyCode', a.currency_code, 'cashboxes', (
       select coalesce(json_agg(json_build_object('id', c.id, 'isEligible', c.status = 'active' and a.status = 'active')
         order by c.created_at, c.id), '[]')
       from app.cashboxes c where c.tracker_id = :trackerId and c.account_id = a.id)) as facts
     from app.accounts a
     where a.tracker_id = :trackerId and a.id in (:fromAccountId, :toAccountId)`,
    names
  );
  const find = (id) => rows.find(({ facts }) => facts.id === id)?.facts ?? null;
  return { from: find(names.fromAccountId), to: find(names.toAccountId) };
}
async function insertTransfer(tx, transfer) {
  const { source, ...plan } = transfer;
  const rows = await query(
    tx,
    `with locked as materialized (
       select c.id from app.cashboxes c
       where c.tracker_id = :trackerId and c.id in (:fromCashboxId, :toCashboxId) and c.status = 'active' and exists (
         select 1 from app.accounts a where a.tracker_id = c.tracker_id and a.id = c.account_id and a.status = 'active')
       order by c.id for update
     ), both_active as materialized (
       select count(*) = 2 as holds from locked
     ), moved as (
       update app.cashboxes c
       set balance = c.balance + case when c.id = :toCashboxId then cast(:amountDecimal as numeric)
         else -cast(:amountDecimal as numeric) end,
         expense_count = c.expense_count + case when c.id = :fromCashboxId then 1 else 0 end,
         income_count = c.income_count + case when c.id = :toCashboxId then 1 else 0 end
       from both_active
       where both_active.holds and c.tracker_id = :trackerId and c.id in (:fromCashboxId, :toCashboxId)
       returning c.id
     ), grouped as (
       insert into app.transfers (tracker_id, id) select :trackerId, :id from both_active where both_active.holds
       returning id
     )
     insert into app.movements as m (tracker_id, id, type, kind, amount, currency_code, account_id, cashbox_id, occurred_on,
       description, transfer_group_id, source_type, source_id)
     select cast(:trackerId as uuid), leg.id, leg.type, 'transfer', cast(:amountDecimal as numeric), :currencyCode,
       leg.account_id, leg.cashbox_id, cast(:occurredOn as date), :description, cast(:id as uuid), :sourceType,
       cast(:sourceId as uuid)
     from (values
       (cast(:outgoingId as uuid), 'expense', cast(:fromAccountId as uuid), cast(:fromCashboxId as uuid)),
       (cast(:incomingId as uuid), 'income', cast(:toAccountId as uuid), cast(:toCashboxId as uuid))
     ) as leg (id, type, account_id, cashbox_id)
     join moved on moved.id = leg.cashbox_id
     returning ${legColumns}`,
    { ...plan, sourceType: source.type, sourceId: source.id }
  );
  return orderLegs(rows);
}
async function findTransferLegs(tx, key) {
  const rows = await query(
    tx,
    `select ${legColumns} from app.movements m where m.tracker_id = :trackerId and m.transfer_group_id = :groupId`,
    key
  );
  return orderLegs(rows);
}
function orderLegs(rows) {
  const outgoing = rows.find(({ type }) => type === "expense");
  const incoming = rows.find(({ type }) => type === "income");
  return outgoing === void 0 || incoming === void 0 ? void 0 : [outgoing, incoming];
}

// src/resources/transfers/transfers.endpoints.ts
var transfersEndpoints = [
  loadingEndpoint(routes.createTransfer, {
    load: ({ tx, trackerId, body: { fromAccountId, toAccountId } }) => loadCreateTransferFacts(tx, { trackerId, fromAccountId, toAccountId }),
    handle: async ({ tx, body, principal, tracker, newId }, facts) => {
      const plan = decideTransfer({ body, facts, today: tracker.today });
      const id = newId();
      const legs = await insertTransfer(tx, {
        ...plan,
        id,
        trackerId: tracker.id,
        outgoingId: newId(),
        incomingId: newId(),
        source: { type: principal.type, id: principal.id }
      });
      if (legs === void 0) throw new StaleFacts();
      return {
        data: toTransferView(id, legs),
        effect: { action: "transfer.created", resourceType: "transfer", resourceId: id, trackerId: tracker.id }
      };
    }
  }),
  loadingEndpoint(routes.getTransfer, {
    load: ({ tx, trackerId, pathParameters: { groupId } }) => findTransferLegs(tx, { trackerId, groupId }),
    handle: async ({ pathParameters: { groupId } }, legs) => {
      if (legs === void 0) throw notFound();
      return { data: toTransferView(groupId.toLowerCase(), legs) };
    }
  })
];

// src/writes/forget-old-keys.queries.ts
var batch = 1e3;
async function forgetOldKeys(database, retentionDays) {
  let total = 0;
  for (; ; ) {
    const removed = await database.transaction({ readOnly: false }, async (tx) => {
      const [row] = await query(
        tx,
        `select set_config('role', 'centavo_definer', true),
           app.forget_idempotency_keys(make_interval(days => cast(:retentionDays as integer)), cast(:batch as integer)) as removed`,
        { retentionDays, batch }
      );
      return row?.removed ?? 0;
    });
    total += removed;
    if (removed < batch) return total;
  }
}

// src/writes/key-retention.ts
var intervalMs2 = 36e5;
function startKeyRetention(options) {
  const { database, retentionDays } = options;
  if (retentionDays === null) return { close: () => Promise.resolve() };
  let running = Promise.resolve();
  const run3 = () => {
    running = running.then(() => forgetOldKeys(database, retentionDays)).catch(options.onFailure);
  };
  run3();
  const timer = setInterval(run3, intervalMs2);
  timer.unref();
  return {
    async close() {
      clearInterval(timer);
      await running;
    }
  };
}

// src/writes/single-flight.ts
var SingleFlight = class {
  // No map: what has left it would be freed late (decision 0028). There are as many lines as writes are under way.
  #lines = [];
  /** Runs `work` once all that came earlier under `key` have landed, or `waitMsMax` have passed. */
  async run(request) {
    const { key } = request;
    const place = this.#lines.findIndex((line2) => line2.key === key);
    const ahead = this.#lines[place]?.landed;
    const work = ahead === void 0 ? request.work() : Promise.race([ahead, request.sleep(request.waitMsMax)]).then(() => request.work());
    const line = { key, landed: Promise.allSettled([ahead, work]) };
    this.#lines[place === -1 ? this.#lines.length : place] = line;
    void line.landed.then(() => this.#forget(line));
    return work;
  }
  /** The last takes its place. */
  #forget(line) {
    const place = this.#lines.indexOf(line);
    if (place === -1) return;
    const last = this.#lines.pop();
    if (last !== void 0 && last !== line) this.#lines[place] = last;
  }
};

// src/compose-server.ts
async function composeServer(options) {
  const { elapsedMs = () => performance.now() } = options;
  const database = createDatabase({
    connectionString: options.connectionString,
    poolMax: options.config.databasePoolMax,
    ...options.config.databaseUrl === null ? { usualMax: 2 * availableParallelism() + 1 } : {},
    ...options.onStatement === void 0 ? {} : { onStatement: options.onStatement }
  });
  const limiter = await openLimiter({
    rates: options.config.ratesPerMinute,
    redisUrl: options.config.redisUrl,
    elapsedMs,
    onRedisChange: (change) => logRedisChange(options.logger, change)
  });
  try {
    return await composeOn({ ...options, elapsedMs, database, limiter });
  } catch (error) {
    limiter.close();
    await database.close();
    throw error;
  }
}
async function composeOn(options) {
  const { database, limiter, config, logger, now = () => /* @__PURE__ */ new Date() } = options;
  await proveIsolation(database);
  const { externalIssuer } = config;
  const identity2 = externalIssuer === null ? createEmbeddedIdentity({
    database,
    registration: config.registration,
    encryptionKeys: config.encryptionKeys,
    stepUpMaxAgeSeconds: config.stepUpMaxAgeSeconds,
    clock: now,
    randomBytes: randomBytes4
  }) : createExternalIdentity({ database, issuer: externalIssuer, clock: now, randomBytes: randomBytes4 });
  if (identity2.jwks !== null) await identity2.prepare();
  let isDraining = false;
  const responses = new ResponsesUnderWay();
  const credentialUse = new CredentialUse({ database, now: () => now().getTime() });
  const metrics = createMetrics({ poolUse: () => database.poolUse(), tellAll: options.tellAllFigures });
  const replica = config.databaseReplicaUrl === null ? null : openReplica({
    connectionString: config.databaseReplicaUrl,
    poolMax: config.databasePoolMax,
    elapsedMs: options.elapsedMs,
    onRead: metrics.countReplicaRead,
    onChange: (change) => logReplicaChange(logger, change),
    onStatement: options.onStatement
  });
  const app = createApp({
    endpoints: [
      ...contextEndpoints,
      ...accountsEndpoints,
      ...categoriesEndpoints,
      ...movementsEndpoints,
      ...transfersEndpoints,
      ...budgetsEndpoints,
      ...createCredentialsEndpoints({
        now,
        randomBytes: randomBytes4,
        keyMaxValidityDays: config.keyMaxValidityDays
      }),
      ...identity2.endpoints
    ],
    server: {
      database,
      replica,
      identity: identity2.provider,
      limiter,
      credentialUse,
      lastPlaces: new LastPlaces(),
      singleFlight: new SingleFlight(),
      pace: { now: () => performance.now(), sleep: (ms) => sleep5(ms), random: Math.random },
      newId: uuidv74,
      now,
      stepUpMaxAgeSeconds: config.stepUpMaxAgeSeconds,
      stepUpCalls: new Set(config.integrationClientsRequireStepUp ? [routes.createIntegrationClient.call.name] : [])
    },
    responses,
    proxyHops: config.trustProxyHops,
    health: { isReady: () => pingDatabase(database), isDraining: () => isDraining },
    jwks: identity2.jwks,
    log: createRequestLog(logger),
    metrics
  });
  const server = createHttpServer(app, { tls: config.tls, arrivalLimits: options.arrivalLimits });
  await listen(server, config);
  const keyRetention = startKeyRetention({
    database,
    retentionDays: config.idempotencyRetentionDays,
    onFailure: () => logger.error("old idempotency keys could not be removed; the next hour tries again")
  });
  return {
    origin: originOf(config, server.address()),
    addUser: (user) => addUser({ database, clock: now }, user),
    ownFigures: metrics.ownFigures,
    async stop({ drainDelayMs = config.drainDelayMs, isReplaced = false } = {}) {
      isDraining = !isReplaced;
      await drainHttpServer({ server, responses, drainDelayMs, finishMsMax: 2e4 });
      limiter.close();
      await credentialUse.settled();
      await keyRetention.close();
      await replica?.close();
      await database.close();
    }
  };
}
async function listen(server, { port, host }) {
  await new Promise((resolve4, reject) => {
    server.once("error", (error) => {
      const reason = error.code === "EADDRINUSE" ? "is in use" : `cannot be used (${error.code})`;
      reject(new Error(`Port ${port} of ${host} ${reason}. Set PORT to another one.`, { cause: error }));
    });
    server.listen(port, host, resolve4);
  });
}
function originOf(config, address) {
  const host = address.family === "IPv6" ? `[${address.address}]` : address.address;
  return `${config.tls === null ? "http" : "https"}://${host}:${address.port}`;
}

// src/commands/seed-demo.ts
import { randomBytes as randomBytes5 } from "crypto";
import { readFile as readFile9, writeFile as writeFile4 } from "fs/promises";
import { request as httpRequest } from "http";
import { request as httpsRequest } from "https";
import { join as join11 } from "path";
import { text as readText2 } from "stream/consumers";
import { generate } from "otplib";
var fileName = "demo.json";
async function seedDemo(options) {
  const path = join11(options.dataDir, fileName);
  if (options.hasUsers) return readDemo(path);
  const demo = await createDemo(options.server);
  await writeFile4(path, `${JSON.stringify(demo, null, 2)}
`, { mode: 384 });
  return demo;
}
async function readDemo(path) {
  return readFile9(path, "utf8").then(
    (text3) => JSON.parse(text3),
    () => void 0
  );
}
async function createDemo(server) {
  const { origin } = server;
  const email = "demo@example.org";
  const password = randomBytes5(12).toString("base64url");
  await server.addUser({ email, password, displayName: "Demo" });
  const { accessToken } = await post(origin, "/v1/identity/sessions", { email, password });
  const { secret: totpSecret } = await post(origin, "/v1/identity/totp", void 0, accessToken);
  const code = await generate({ secret: totpSecret ?? "" });
  const steppedUp = await post(origin, "/v1/identity/totp/confirm", { code }, accessToken);
  const token2 = steppedUp.accessToken;
  const tracker = await post(
    origin,
    "/v1/financial/trackers",
    { name: "Household", currencyCode: "EUR", timeZone: "Europe/Madrid" },
    token2
  );
  for (const account of [
    { name: "Everyday", type: "checking", openingBalanceDecimal: "1250.00" },
    { name: "Savings", type: "savings", openingBalanceDecimal: "8000.00" },
    { name: "Card", type: "credit_card" }
  ]) {
    await post(origin, "/v1/financial/accounts", account, token2);
  }
  const trackerId = tracker.id ?? "";
  const access = { mode: "selected", trackerIds: [trackerId] };
  const key = await post(origin, "/v1/financial/api-keys", { name: "Demo key", scopes, access }, token2);
  return { email, password, totpSecret: totpSecret ?? "", trackerId, secret: key.secret ?? "" };
}
async function post(origin, path, body, token2) {
  const text3 = body === void 0 ? "" : JSON.stringify(body);
  const answer = await send2(new URL(path, origin), text3, {
    ...body === void 0 ? {} : { "Content-Type": "application/json" },
    "Content-Length": String(Buffer.byteLength(text3)),
    ...token2 === void 0 ? {} : { Authorization: `Bearer ${token2}` }
  });
  const envelope = JSON.parse(answer);
  if (envelope.data === void 0) throw new Error(`The demo could not be made: ${envelope.error?.message}`);
  return envelope.data;
}
function send2(url, text3, headers) {
  const options = { method: "POST", headers, agent: false, rejectUnauthorized: false };
  return new Promise((resolve4, reject) => {
    const request = url.protocol === "https:" ? httpsRequest(url, options) : httpRequest(url, options);
    request.once("error", reject);
    request.once("response", (response) => {
      readText2(response).then(resolve4, reject);
    });
    request.end(text3);
  });
}

// src/commands/open-demo.ts
async function openDemo(options) {
  const { config, logger, ...demo } = options;
  if (!config.demo || config.databaseUrl !== null) return void 0;
  logger.level = "warn";
  try {
    return await seedDemo({ ...demo, dataDir: config.dataDir });
  } finally {
    logger.level = config.logLevel;
  }
}

// src/commands/open-log.ts
import pino from "pino";
var writtenAfterMs = 10;
function openLog(options) {
  const stdout = pino.destination({ dest: 1, sync: false });
  let lines = "";
  const writeLines = () => {
    const together = lines;
    lines = "";
    stdout.write(together);
  };
  const onExit = () => {
    if (lines !== "") writeLines();
    stdout.flushSync();
  };
  process.on("exit", onExit);
  const write = (line) => {
    if (lines === "") setTimeout(writeLines, writtenAfterMs);
    lines += line;
  };
  return pino(
    {
      level: options.level,
      base: options.namesProcess === true ? { pid: process.pid } : null,
      timestamp: pino.stdTimeFunctions.isoTime
    },
    { write }
  );
}

// src/commands/serve-alone.ts
var serveAlone = async ({ config, connectionString, hasUsers }) => {
  const logger = openLog({ level: config.logLevel });
  const server = await composeServer({ config, connectionString, logger });
  try {
    const demo = await openDemo({ config, server, hasUsers, logger });
    return { origin: server.origin, demo, untilLost: () => new Promise(() => {
    }), stop: () => server.stop() };
  } catch (error) {
    await server.stop();
    throw error;
  }
};

// src/commands/serve-by-workers.ts
import { setTimeout as sleep6 } from "timers/promises";

// src/processes/figures-of-workers.ts
import { AggregatorRegistry } from "prom-client";
var answerMsMax2 = 1e3;
var FiguresOfWorkers = class {
  #members = /* @__PURE__ */ new Map();
  #sleep;
  #past = [];
  constructor(parts) {
    this.#sleep = parts.sleep;
  }
  /** @param ask gives a worker's figures now; it need not answer */
  join(id, ask) {
    this.#members.set(id, { ask, told: [] });
  }
  /** Keeps what a worker told unasked, as it does at its end. */
  note(id, figures) {
    const member = this.#members.get(id);
    if (member !== void 0) member.told = figures;
  }
  /** A worker has ended. Of one that was killed what it told last counts, which is also what was shown last. */
  leave(id) {
    const { told = [] } = this.#members.get(id) ?? {};
    this.#members.delete(id);
    this.#past = sumOf([this.#past, growingOf(told)]).getMetricsAsArray();
  }
  /** Asks all workers, and adds up; of one that does not answer within a second, what it told last. */
  async page() {
    const silent = /* @__PURE__ */ new Set();
    await Promise.all(
      [...this.#members.values()].map(async (member) => {
        const figures = await Promise.race([member.ask(), this.#sleep(answerMsMax2)]).catch(() => void 0);
        if (figures === void 0) silent.add(member);
        else member.told = figures;
      })
    );
    const present = [...this.#members.values()].map(
      (member) => silent.has(member) ? growingOf(member.told) : member.told
    );
    return sumOf([...present, this.#past]).metrics();
  }
};
function sumOf(figures) {
  return AggregatorRegistry.aggregate(figures.map((one) => [...one]));
}
function growingOf(figures) {
  return figures.filter(({ type }) => type === "counter" || type === "histogram");
}

// src/processes/fork-worker.ts
import cluster from "cluster";
var endMsMax = 3e4;
var readMsMax = 1e3;
function forkWorker(options) {
  const { figures } = options;
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  const worker = cluster.fork(options.env);
  const { pid } = worker.process;
  const send3 = (message) => sendTo(worker, message);
  const ended = endOf(worker);
  void ended.then(() => figures.leave(worker.id));
  const answers = /* @__PURE__ */ new Map();
  let questions = 0;
  figures.join(worker.id, () => {
    questions += 1;
    const question = questions;
    send3({ kind: "tell-own-figures", question });
    return new Promise((resolve4) => {
      answers.set(question, resolve4);
    });
  });
  const serving = new Promise((resolve4, reject) => {
    worker.on("message", (message) => {
      if (message.kind === "serving") {
        resolve4(message.origin);
      } else if (message.kind === "own-figures") {
        answers.get(message.question)?.(message.figures);
        answers.delete(message.question);
      } else if (message.kind === "last-figures") {
        figures.note(worker.id, message.figures);
      } else {
        const { question } = message;
        void figures.page().catch(() => null).then((page2) => send3({ kind: "all-figures", question, page: page2 }));
      }
    });
    void ended.then((how) => reject(new Error(`The worker process ${pid} ended with ${how} before it served`)));
  });
  return {
    pid,
    serving,
    ended,
    drain(leave) {
      send3({ kind: "drain", leave });
      const late = setTimeout(() => worker.process.kill("SIGKILL"), leave.drainDelayMs + endMsMax);
      void ended.then(() => clearTimeout(late));
    },
    // A signal, because messages are lost on a program that is not yet there to read them.
    giveUp: () => void worker.process.kill("SIGTERM")
  };
}
function endOf(worker) {
  return new Promise((resolve4) => {
    const read = new Promise((tell2) => {
      worker.once("disconnect", tell2);
    });
    worker.once("exit", (exitCode, signal) => {
      const how = signal ?? `exit code ${exitCode}`;
      const late = setTimeout(() => resolve4(how), readMsMax);
      void read.then(() => {
        clearTimeout(late);
        resolve4(how);
      });
    });
    worker.on("error", (error) => {
      if (worker.process.pid === void 0) resolve4(error.message);
    });
  });
}
function sendTo(worker, message) {
  if (worker.isConnected()) worker.send(message, () => {
  });
}

// src/processes/restart-pause.ts
var firstPauseMs = 100;
var pauseMsMax = 5e3;
var steadyMs = 1e4;
function restartPauseMs(earlyEnds) {
  return earlyEnds === 0 ? 0 : Math.min(firstPauseMs * 2 ** (earlyEnds - 1), pauseMsMax);
}

// src/processes/worker-place.ts
var WorkerPlace = class {
  #surroundings;
  #alive = /* @__PURE__ */ new Set();
  #starting;
  #worker;
  #turn = Promise.resolve();
  #isOver = false;
  #earlyEnds = 0;
  constructor(surroundings) {
    this.#surroundings = surroundings;
  }
  get isServing() {
    return this.#worker !== void 0;
  }
  /**
   * Starts a worker, and watches over it from when it serves.
   * @returns where it listens
   * @throws Error where it ends before it serves
   */
  async start() {
    const process2 = this.#surroundings.fork();
    this.#alive.add(process2);
    this.#starting = process2;
    const ended = process2.ended.then((how) => {
      this.#alive.delete(process2);
      return how;
    });
    const origin = await process2.serving.finally(() => {
      this.#starting = void 0;
    });
    const worker = { process: process2, sinceMs: this.#surroundings.pace.now() };
    this.#worker = worker;
    void ended.then((how) => {
      const livedMs = this.#surroundings.pace.now() - worker.sinceMs;
      if (this.#worker !== worker) return;
      this.#worker = void 0;
      this.#earlyEnds = livedMs < steadyMs ? this.#earlyEnds + 1 : 0;
      void this.#inTurn(() => this.#startAgain(`The worker process ${process2.pid} ended with ${how}`));
    });
    return origin;
  }
  /**
   * Lets a new worker take the place: the old one is asked to leave once the new one serves, so that there is always one.
   * @throws Error where the new one ends before it serves; the old one then goes on
   */
  async replace(leave) {
    const old = await this.#inTurn(async () => {
      if (this.#isOver) return void 0;
      const before = this.#worker?.process;
      await this.start();
      before?.drain(leave);
      return before;
    });
    await old?.ended;
  }
  /** Ends whatever runs here, in order. */
  async stop(leave) {
    this.#isOver = true;
    this.#worker?.process.drain(leave);
    this.#starting?.giveUp();
    await Promise.all([...this.#alive].map(({ ended }) => ended));
  }
  async #startAgain(reason) {
    const { pace, warn, onFailedStart } = this.#surroundings;
    if (this.#isOver || this.#worker !== void 0) return;
    warn(`${reason}; another one takes its place.`);
    for (let failures2 = 1; ; failures2 += 1) {
      const pauseMs4 = restartPauseMs(this.#earlyEnds);
      if (pauseMs4 > 0) await pace.sleep(pauseMs4);
      if (this.#isOver) return;
      try {
        await this.start();
        return;
      } catch (error) {
        if (this.#isOver) return;
        this.#earlyEnds += 1;
        onFailedStart({ inARow: failures2, reason: error.message });
      }
    }
  }
  #inTurn(act) {
    const acted = this.#turn.then(act);
    this.#turn = acted.catch(() => {
    });
    return acted;
  }
};

// src/processes/supervise-workers.ts
var failedStartsMax = 5;
var patienceMs = 2e3;
async function superviseWorkers(options) {
  const { count: count2, fork, pace, drainDelayMs, say, warn } = options;
  let tellLoss = (_reason) => {
  };
  const lost = new Promise((resolve4) => {
    tellLoss = resolve4;
  });
  const places = Array.from({ length: count2 }, () => new WorkerPlace({ fork, pace, warn, onFailedStart }));
  let isStopping = false;
  let replacing;
  let isAskedAgain = false;
  function onFailedStart({ inARow, reason }) {
    warn(`${reason}.`);
    if (inARow < failedStartsMax || places.some(({ isServing }) => isServing)) return;
    tellLoss(`No worker process serves any more, and ${inARow} starts in a row have failed.`);
  }
  async function stop() {
    isStopping = true;
    await Promise.all(places.map((place) => place.stop({ drainDelayMs, isReplaced: false })));
  }
  async function replaceAllOnce() {
    say("Replacing the worker processes, one after the other.");
    const leave = { drainDelayMs: Math.max(drainDelayMs, patienceMs), isReplaced: true };
    try {
      for (const place of places) await place.replace(leave);
      if (!isStopping) say("All worker processes are replaced.");
    } catch (error) {
      if (isStopping) return;
      warn(`${error.message}. The others go on; mend what it says and send SIGHUP again.`);
      say("Not all worker processes are replaced.");
    }
  }
  async function replaceAll() {
    do {
      isAskedAgain = false;
      await replaceAllOnce();
    } while (isAskedAgain && !isStopping);
    replacing = void 0;
  }
  const [first2, ...others2] = places;
  try {
    const origin = await first2.start();
    await Promise.all(others2.map((place) => place.start()));
    return {
      origin,
      replaceAll() {
        isAskedAgain = true;
        replacing ??= replaceAll();
        return replacing;
      },
      untilLost: () => lost,
      stop
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

// src/commands/serve-by-workers.ts
var serveByWorkers = async ({ config, connectionString, hasUsers }) => {
  let replaceAll = () => {
  };
  const onHangUp = () => replaceAll();
  process.on("SIGHUP", onHangUp);
  const figures = new FiguresOfWorkers({ sleep: (ms) => sleep6(ms, void 0, { ref: false }) });
  const env = { DATABASE_URL: connectionString };
  try {
    const demo = await makeDemo({ config, connectionString, hasUsers });
    const supervision = await superviseWorkers({
      count: config.processes,
      fork: () => forkWorker({ env, figures }),
      pace: { now: () => performance.now(), sleep: (ms) => sleep6(ms) },
      drainDelayMs: config.drainDelayMs,
      say: (line) => void process.stdout.write(`${line}
`),
      warn: (line) => void process.stderr.write(`${line}
`)
    });
    replaceAll = () => void supervision.replaceAll();
    return {
      origin: supervision.origin,
      demo,
      untilLost: supervision.untilLost,
      async stop() {
        replaceAll = () => {
        };
        await supervision.stop();
      }
    };
  } catch (error) {
    process.off("SIGHUP", onHangUp);
    throw error;
  }
};
async function makeDemo({ config, connectionString, hasUsers }) {
  if (!config.demo || config.databaseUrl !== null) return void 0;
  const logger = openLog({ level: config.logLevel });
  const hidden = { ...config, host: "127.0.0.1", port: 0, tls: null, drainDelayMs: 0 };
  const server = await composeServer({ config: hidden, connectionString, logger });
  try {
    return await openDemo({ config, server, hasUsers, logger });
  } finally {
    await server.stop();
  }
}

// src/commands/start-remarks.ts
function startRemarks(start) {
  const { config, superuser, hasDemo } = start;
  const remarks = [...config.warnings];
  if (config.databaseUrl !== null && superuser !== null) {
    remarks.push(
      `DATABASE_URL logs in as ${superuser}, who stands above row-level security and may do anything in that PostgreSQL. Give Centavo a user without these rights; docs/operations.md shows how.`
    );
  }
  if (config.demo && !hasDemo) {
    remarks.push(
      config.databaseUrl === null ? "DEMO=on is left aside: it fills an embedded database without users, and this one has some. Set DATA_DIR to another folder to get the demo there." : "DEMO=on is left aside: it is for the embedded database, and DATABASE_URL is set. Unset one of the two."
    );
  }
  return remarks;
}

// src/processes/supervisor-link.ts
import cluster2 from "cluster";
import { once } from "events";
function linkToSupervisor() {
  const { worker } = cluster2;
  if (worker === void 0) throw new Error("This process has no supervisor");
  const send3 = (message) => new Promise((resolve4) => {
    worker.send(message, () => resolve4());
  });
  const pages = /* @__PURE__ */ new Map();
  let questions = 0;
  let ownFigures = async () => [];
  let askToDrain = (_leave) => {
  };
  const drainAsked = new Promise((resolve4) => {
    askToDrain = resolve4;
  });
  worker.on("message", (message) => {
    if (message.kind === "drain") {
      askToDrain(message.leave);
    } else if (message.kind === "all-figures") {
      pages.get(message.question)?.(message.page);
      pages.delete(message.question);
    } else {
      const { question } = message;
      ownFigures().then(
        (figures) => send3({ kind: "own-figures", question, figures }),
        () => {
        }
      );
    }
  });
  return {
    drainAsked,
    tellAllFigures() {
      questions += 1;
      const question = questions;
      void send3({ kind: "tell-all-figures", question });
      return new Promise((resolve4, reject) => {
        pages.set(question, (page2) => {
          if (page2 === null) reject(new Error("The figures of all workers could not be added up"));
          else resolve4(page2);
        });
      });
    },
    serve(served) {
      ownFigures = served.ownFigures;
      void send3({ kind: "serving", origin: served.origin });
    },
    async leave(figures) {
      if (figures !== void 0) await send3({ kind: "last-figures", figures });
      const gone = once(worker, "disconnect");
      worker.disconnect();
      await gone;
    }
  };
}

// src/commands/start-worker.ts
async function startWorkerCommand({ env, defaultDataDir, migrations: migrations2 }) {
  const stopSignal = nextStopSignal(process, { hangUpStops: false }).then(() => ({}));
  const supervisor = linkToSupervisor();
  try {
    const config = readConfig(env, defaultDataDir);
    if (config.databaseUrl === null) throw new Error("DATABASE_URL is missing: a worker opens no database of its own.");
    await requireMigrated(config.databaseUrl, migrations2);
    const logger = openLog({ level: config.logLevel, namesProcess: true });
    const server = await composeServer({
      config,
      connectionString: config.databaseUrl,
      logger,
      tellAllFigures: () => supervisor.tellAllFigures()
    });
    supervisor.serve(server);
    await server.stop(await Promise.race([stopSignal, supervisor.drainAsked]));
    await supervisor.leave(await server.ownFigures());
    return 0;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}
`);
    await supervisor.leave();
    return 1;
  }
}
async function requireMigrated(connectionString, directory) {
  const pending = await pendingMigrations({ connectionString, directory });
  if (pending.length === 0) return;
  throw new Error(`The database lacks ${pending.join(", ")} of this version: restart the server, which applies them.`);
}

// src/commands/welcome.ts
function welcome(server) {
  const { origin } = server;
  const lines = ["", `Centavo is ready at ${origin}/v1/financial (Ctrl-C stops it)`, "", ...nextSteps(server)];
  return `${lines.join("\n")}
`;
}
function nextSteps({ origin, demo, hasUsers, config }) {
  if (config.externalIssuer !== null) return externalUser(origin, config.externalIssuer.issuer);
  if (demo !== void 0) return play(origin, demo);
  if (config.registration === "closed") return knownUser(origin);
  return hasUsers ? anyUser(origin) : firstUser(origin);
}
function firstUser(origin) {
  return [
    "A first user, in another terminal; the command asks for the password, curl is given it:",
    "",
    centavo(origin, "register"),
    "",
    `  curl -s ${origin}/v1/identity/users -H 'Content-Type: application/json' \\`,
    `    -d '{"email":"ana@example.org","password":"choose a long one"}'`,
    "",
    "Then:",
    "",
    centavo(origin, "login")
  ];
}
function anyUser(origin) {
  return [
    "To log in, in another terminal, or to register somebody new:",
    "",
    centavo(origin, "login"),
    centavo(origin, "register")
  ];
}
function knownUser(origin) {
  return [
    "Nobody new may register (REGISTRATION=closed). Who is a user logs in, in another terminal:",
    "",
    centavo(origin, "login")
  ];
}
function centavo(origin, verb) {
  return `  node apps/cli/dist/main.js --base-url ${origin}/v1/financial ${verb} --email ana@example.org`;
}
function externalUser(origin, issuer) {
  return [
    `Users log in at ${issuer} (IDENTITY_ISSUER), whose access tokens are the sessions here. With one of them:`,
    "",
    `  export CENTAVO_BASE_URL=${origin}/v1/financial`,
    "  export CENTAVO_TOKEN=the access token",
    `  curl -s "$CENTAVO_BASE_URL/trackers" -H "Authorization: Bearer $CENTAVO_TOKEN"`
  ];
}
function play(origin, demo) {
  return [
    "A demo user, tracker and key are in place. In another terminal, in this folder:",
    "",
    `  export CENTAVO_BASE_URL=${origin}/v1/financial`,
    `  export CENTAVO_TOKEN=${demo.secret}`,
    "  node apps/cli/dist/main.js import examples/household-2026.csv --create-categories --yes",
    "  node apps/cli/dist/main.js balances",
    `  curl -s "$CENTAVO_BASE_URL/movements?limit=3" -H "Authorization: Bearer $CENTAVO_TOKEN"`,
    "",
    `  To log in as the demo user: ${demo.email}, password ${demo.password}, one-time code secret ${demo.totpSecret}`
  ];
}

// src/commands/start.ts
async function startCommand(place) {
  if (cluster3.isWorker) return startWorkerCommand(place);
  const say = (line) => process.stdout.write(`${line}
`);
  let exitCode = 0;
  try {
    const config = readConfig(place.env, place.defaultDataDir);
    const stopSignal = nextStopSignal(process, { hangUpStops: config.processes === 1 });
    const opened = await openDatabase({ config, migrations: place.migrations, say });
    const { connectionString, close } = opened;
    const serve = config.processes === 1 ? serveAlone : serveByWorkers;
    try {
      const { hasUsers, superuser } = await withDatabase(
        connectionString,
        (database) => database.transaction({ readOnly: true }, lookAround)
      );
      const serving = await serve({ config, connectionString, hasUsers });
      try {
        const { origin, demo, untilLost } = serving;
        for (const remark of startRemarks({ config, superuser, hasDemo: demo !== void 0 })) say(remark);
        say(welcome({ origin, demo, hasUsers, config }));
        const loss = await Promise.race([stopSignal.then(() => void 0), opened.untilLost(), untilLost()]);
        if (loss !== void 0) {
          exitCode = 1;
          process.stderr.write(`${loss} The server ends with it; start it again, nothing acknowledged is lost.
`);
        }
        say("Stopping: finishing the requests under way.");
      } finally {
        await serving.stop();
      }
    } finally {
      await close();
    }
    return exitCode;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}
`);
    return 1;
  }
}

// src/run-server-command.ts
var usage3 = `Usage: centavo-server <command>

Commands:
  start                apply migrations and serve the API (the default)
  migrate              apply migrations and end
  shard                apply migrations and spread the tables over the machines of a Citus; may be run again
  check                recompute every balance from its movements; exit code 1 on any difference
  database-url         print the address of the database, password included, for psql and pg_dump;
                       the embedded one has an address only while a server runs
  legacy-key create    make a key of the interface before v1.1 and print its secret
                       --email E --name N --scopes a,b [--tracker ID]... [--expires-at T]
                       without --tracker it may use every tracker that its user is a member of, later ones too
  forget-sealed KEYID  the way back where a key of ENCRYPTION_KEY is lost: users enrol their authenticators anew

Options:
  --help               print this
  --version            print the version

All settings are environment variables, such as PORT and DATA_DIR; README.md lists them.
`;
var plainCommands = {
  start: startCommand,
  migrate: migrateCommand,
  shard: shardCommand,
  check: checkCommand,
  "database-url": databaseUrlCommand
};
var repository = fileURLToPath(new URL("../../..", import.meta.url));
var migrations = fileURLToPath(new URL("../migrations", import.meta.url));
async function runServerCommand(words) {
  const [command = "start", ...rest] = words;
  const place = { defaultDataDir: `${repository}.centavo`, migrations, env: process.env };
  if (["help", "--help", "-h"].includes(command) || rest.includes("--help")) return tell(usage3);
  if (command === "--version") return tell(`${serverVersion}
`);
  if (command === "legacy-key" && rest[0] === "create") return createLegacyKeyCommand(place, rest.slice(1));
  if (command === "legacy-key") return refuse2("legacy-key is followed by create");
  if (command === "forget-sealed") return forgetSealedCommand(place, rest);
  const run3 = Object.hasOwn(plainCommands, command) ? plainCommands[command] : void 0;
  if (run3 === void 0) return refuse2(`Unknown ${command.startsWith("-") ? "option" : "command"} ${command}`);
  const [surplus] = rest;
  if (surplus === void 0) return run3(place);
  return refuse2(`${command} takes no options, but ${surplus} was given; set PORT, DATA_DIR and the like as variables`);
}
function tell(text3) {
  process.stdout.write(text3);
  return 0;
}
function refuse2(mistake) {
  process.stderr.write(`${mistake}.

${usage3}`);
  return 2;
}

// src/main.ts
setFlagsFromString("--no-parallel-scavenge");
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error) => {
    if (error.code !== "EPIPE") throw error;
  });
}
process.exitCode = await runServerCommand(process.argv.slice(2));
var graceMs = 2e3;
setTimeout(() => process.exit(), graceMs).unref();
//# sourceMappingURL=main.js.map