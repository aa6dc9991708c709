BEGIN TRANSACTION;
CREATE TABLE calls (
	id INTEGER NOT NULL, 
	run TEXT, 
	item TEXT, 
	made_at DATETIME NOT NULL, 
	skill TEXT NOT NULL, 
	role TEXT NOT NULL, 
	model TEXT NOT NULL, 
	outcome TEXT NOT NULL, 
	seconds FLOAT NOT NULL, 
	input_tokens INTEGER NOT NULL, 
	output_tokens INTEGER NOT NULL, 
	cost FLOAT, 
	cached BOOLEAN NOT NULL, 
	PRIMARY KEY (id), 
	CONSTRAINT fk_calls_run FOREIGN KEY(run) REFERENCES runs (id)
);
INSERT INTO "calls" VALUES(1,'261103-142530-zj2ma','ospf.md','2026-11-03 14:25:31.000000','cards.map','cards.mapper','rules','answered',0.25,0,0,0.0,0);
INSERT INTO "calls" VALUES(2,'261103-142530-zj2ma','bgp.md','2026-11-03 14:25:34.000000','cards.map','cards.mapper','ollama:qwen3:14b','answered',0.25,120,0,0.01,0);
CREATE TABLE changes (
	run TEXT NOT NULL, 
	position INTEGER NOT NULL, 
	sink TEXT NOT NULL, 
	"key" TEXT NOT NULL, 
	kind TEXT NOT NULL, 
	"before" JSON, 
	"after" JSON NOT NULL, 
	status TEXT NOT NULL, 
	PRIMARY KEY (run, position), 
	CONSTRAINT fk_changes_run FOREIGN KEY(run) REFERENCES runs (id)
);
CREATE TABLE decisions (
	run TEXT NOT NULL, 
	position INTEGER NOT NULL, 
	item TEXT NOT NULL, 
	action TEXT NOT NULL, 
	score FLOAT, 
	body JSON NOT NULL, 
	PRIMARY KEY (run, position), 
	CONSTRAINT fk_decisions_run_item FOREIGN KEY(run, item) REFERENCES items (run, item)
);
INSERT INTO "decisions" VALUES('261103-142530-zj2ma',0,'ospf.md','create',0.75,'{"item":"ospf.md#1","action":"create","reasons":["It asks one thing."],"evidence":[{"passage":"p1","quote":"OSPF floods link states.","where":{"path":"notes/ospf.md","line":12,"end_line":14,"page":null}}],"proposal":{"front":"What does OSPF flood?","back":"Link states."},"proposal_schema":{"type":"object","properties":{"front":{"type":"string","minLength":3},"tags":{"type":"array","items":{"type":"string"}}},"required":["front"]},"change":null,"score":0.75}');
INSERT INTO "decisions" VALUES('261103-142530-zj2ma',1,'ospf.md','manual_review',0.75,'{"item":"ospf.md#2","action":"manual_review","reasons":["It asks one thing."],"evidence":[{"passage":"p1","quote":"OSPF floods link states.","where":{"path":"notes/ospf.md","line":12,"end_line":14,"page":null}}],"proposal":{"front":"What does OSPF flood?","back":"Link states."},"proposal_schema":{"type":"object","properties":{"front":{"type":"string","minLength":3},"tags":{"type":"array","items":{"type":"string"}}},"required":["front"]},"change":null,"score":0.75}');
INSERT INTO "decisions" VALUES('261103-142530-zj2ma',2,'bgp.md','manual_review',0.75,'{"item":"bgp.md#1","action":"manual_review","reasons":["It asks one thing."],"evidence":[{"passage":"p1","quote":"OSPF floods link states.","where":{"path":"notes/ospf.md","line":12,"end_line":14,"page":null}}],"proposal":{"front":"What does OSPF flood?","back":"Link states."},"proposal_schema":{"type":"object","properties":{"front":{"type":"string","minLength":3},"tags":{"type":"array","items":{"type":"string"}}},"required":["front"]},"change":null,"score":0.75}');
CREATE TABLE "file_states" (
	sink TEXT NOT NULL, 
	path TEXT NOT NULL, 
	modified BIGINT NOT NULL, 
	size BIGINT NOT NULL, 
	stamp TEXT NOT NULL, 
	PRIMARY KEY (sink, path)
);
CREATE TABLE findings (
	run TEXT NOT NULL, 
	position INTEGER NOT NULL, 
	ordinal INTEGER NOT NULL, 
	code TEXT NOT NULL, 
	severity TEXT NOT NULL, 
	message TEXT NOT NULL, 
	place JSON, 
	PRIMARY KEY (run, position, ordinal), 
	CONSTRAINT fk_findings_run_position FOREIGN KEY(run, position) REFERENCES decisions (run, position)
);
INSERT INTO "findings" VALUES('261103-142530-zj2ma',0,0,'cloze.leak','warning','The answer stands in the question.','{"path":"notes/ospf.md","line":12,"end_line":14,"page":null}');
INSERT INTO "findings" VALUES('261103-142530-zj2ma',1,0,'cloze.leak','warning','The answer stands in the question.','{"path":"notes/ospf.md","line":12,"end_line":14,"page":null}');
INSERT INTO "findings" VALUES('261103-142530-zj2ma',2,0,'cloze.leak','warning','The answer stands in the question.','{"path":"notes/ospf.md","line":12,"end_line":14,"page":null}');
CREATE TABLE "idempotency_keys" (
	"key" TEXT NOT NULL, 
	fingerprint TEXT NOT NULL, 
	status INTEGER NOT NULL, 
	headers JSON NOT NULL, 
	body TEXT NOT NULL, 
	kept_at DATETIME NOT NULL, 
	PRIMARY KEY ("key")
);
INSERT INTO "idempotency_keys" VALUES('k1','f1',201,'{}','{}','2026-11-03 14:25:38.000000');
CREATE TABLE items (
	run TEXT NOT NULL, 
	item TEXT NOT NULL, 
	settled_at DATETIME NOT NULL, 
	PRIMARY KEY (run, item), 
	CONSTRAINT fk_items_run FOREIGN KEY(run) REFERENCES runs (id)
);
INSERT INTO "items" VALUES('261103-142530-zj2ma','ospf.md','2026-11-03 14:25:31.000000');
INSERT INTO "items" VALUES('261103-142530-zj2ma','bgp.md','2026-11-03 14:25:32.000000');
CREATE TABLE "jobs" (
	id TEXT NOT NULL, 
	type TEXT NOT NULL, 
	request JSON NOT NULL, 
	status TEXT NOT NULL, 
	run TEXT, 
	done INTEGER NOT NULL, 
	total INTEGER NOT NULL, 
	item TEXT NOT NULL, 
	result JSON, 
	problem JSON, 
	files JSON NOT NULL, 
	created_at DATETIME NOT NULL, 
	finished_at DATETIME, 
	PRIMARY KEY (id)
);
INSERT INTO "jobs" VALUES('261103-142537-pbsxw','cards.sync','{"vault":"notes"}','waiting',NULL,0,0,'',NULL,NULL,'[]','2026-11-03 14:25:37.000000',NULL);
CREATE TABLE ledger_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT ledger_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "ledger_version" VALUES('0007');
CREATE TABLE "published_versions" (
	sink TEXT NOT NULL, 
	"key" TEXT NOT NULL, 
	fields JSON NOT NULL, 
	published_at DATETIME NOT NULL, about JSON DEFAULT '{}' NOT NULL, 
	PRIMARY KEY (sink, "key")
);
INSERT INTO "published_versions" VALUES('anki','ospf.md#1','{"Front":"What does OSPF flood?"}','2026-11-03 14:25:35.000000','{}');
CREATE TABLE question_reviews (
	run TEXT NOT NULL, 
	item TEXT NOT NULL, 
	revision INTEGER NOT NULL, 
	status TEXT NOT NULL, 
	pair JSON, 
	history JSON NOT NULL, 
	decided_at DATETIME NOT NULL, 
	PRIMARY KEY (run, item), 
	CONSTRAINT fk_question_reviews_run FOREIGN KEY(run) REFERENCES runs (id)
);
CREATE TABLE "rate_limits" (
	model TEXT NOT NULL, 
	next_start FLOAT NOT NULL, 
	PRIMARY KEY (model)
);
INSERT INTO "rate_limits" VALUES('ollama:qwen3:14b',1.79481238634600973134e+09);
CREATE TABLE reviews (
	id TEXT NOT NULL, 
	run TEXT NOT NULL, 
	feature TEXT NOT NULL, 
	decision JSON NOT NULL, 
	status TEXT NOT NULL, 
	answer JSON, 
	comment TEXT, 
	opened_at DATETIME NOT NULL, 
	answered_at DATETIME, 
	PRIMARY KEY (id), 
	CONSTRAINT fk_reviews_run FOREIGN KEY(run) REFERENCES runs (id)
);
INSERT INTO "reviews" VALUES('09de4f663ebe','261103-142530-zj2ma','cards','{"item":"ospf.md#2","action":"manual_review","reasons":["It asks one thing."],"findings":[{"code":"cloze.leak","severity":"warning","message":"The answer stands in the question.","where":{"path":"notes/ospf.md","line":12,"end_line":14,"page":null}}],"evidence":[{"passage":"p1","quote":"OSPF floods link states.","where":{"path":"notes/ospf.md","line":12,"end_line":14,"page":null}}],"proposal":{"front":"What does OSPF flood?","back":"Link states."},"proposal_schema":{"type":"object","properties":{"front":{"type":"string","minLength":3},"tags":{"type":"array","items":{"type":"string"}}},"required":["front"]},"change":null,"score":0.75}','edited','{"front":"What is flooded?"}','clearer','2026-11-03 14:25:31.000000','2026-11-03 14:25:33.000000');
INSERT INTO "reviews" VALUES('14bb6039ad57','261103-142530-zj2ma','cards','{"item":"bgp.md#1","action":"manual_review","reasons":["It asks one thing."],"findings":[{"code":"cloze.leak","severity":"warning","message":"The answer stands in the question.","where":{"path":"notes/ospf.md","line":12,"end_line":14,"page":null}}],"evidence":[{"passage":"p1","quote":"OSPF floods link states.","where":{"path":"notes/ospf.md","line":12,"end_line":14,"page":null}}],"proposal":{"front":"What does OSPF flood?","back":"Link states."},"proposal_schema":{"type":"object","properties":{"front":{"type":"string","minLength":3},"tags":{"type":"array","items":{"type":"string"}}},"required":["front"]},"change":null,"score":0.75}','open',NULL,NULL,'2026-11-03 14:25:32.000000',NULL);
CREATE TABLE runs (
	id TEXT NOT NULL, 
	feature TEXT NOT NULL, 
	arguments JSON NOT NULL, 
	fingerprint TEXT NOT NULL, 
	status TEXT NOT NULL, 
	started_at DATETIME NOT NULL, 
	finished_at DATETIME, 
	note TEXT, 
	PRIMARY KEY (id)
);
INSERT INTO "runs" VALUES('261103-142530-zj2ma','cards','{"vault":"notes"}','3c931b56590b7802a09fc0bda1fa21d73293ccf995dff0766a4267a87526a5dd','done','2026-11-03 14:25:30.000000','2026-11-03 14:25:39.000000','2 notes');
CREATE TABLE songs (
	"key" TEXT NOT NULL, 
	song TEXT NOT NULL, 
	artist TEXT NOT NULL, 
	source TEXT NOT NULL, 
	vocabulary JSON NOT NULL, 
	lyrics TEXT, 
	kept_at DATETIME NOT NULL, 
	PRIMARY KEY ("key")
);
INSERT INTO "songs" VALUES('s1','Yoru','Studium','pasted','[{"kanji":"夜","romaji":"yoru","english":"night","parts":[],"reading":"","sung":"","part_of_speech":"other","meanings":[],"jlpt":null,"frequency":null,"pitch":null,"line":"","line_number":null,"count":1}]',NULL,'2026-11-03 14:25:36.000000');
CREATE TABLE spending (
	run TEXT NOT NULL, 
	calls INTEGER NOT NULL, 
	tokens BIGINT NOT NULL, 
	cost FLOAT NOT NULL, 
	PRIMARY KEY (run), 
	CONSTRAINT fk_spending_run FOREIGN KEY(run) REFERENCES runs (id)
);
INSERT INTO "spending" VALUES('261103-142530-zj2ma',2,120,0.01);
CREATE TABLE turns (
	"key" TEXT NOT NULL, 
	skill TEXT NOT NULL, 
	model TEXT NOT NULL, 
	reply JSON NOT NULL, 
	kept_at DATETIME NOT NULL, 
	PRIMARY KEY ("key")
);
INSERT INTO "turns" VALUES('k1','cards.map','ollama:qwen3:14b','{"content":"Link states"}','2026-11-03 14:25:34.000000');
CREATE TABLE vectors (
	embedder TEXT NOT NULL, 
	"key" TEXT NOT NULL, 
	vector BLOB NOT NULL, 
	PRIMARY KEY (embedder, "key")
);
INSERT INTO "vectors" VALUES('minilm','c1',X'0001020304050607');
CREATE INDEX ix_runs_started_at ON runs (started_at);
CREATE INDEX ix_reviews_status_opened_at ON reviews (status, opened_at);
CREATE INDEX ix_calls_run ON calls (run);
CREATE INDEX ix_changes_sink_status ON changes (sink, status);
CREATE INDEX ix_runs_feature_fingerprint ON runs (feature, fingerprint);
CREATE INDEX ix_jobs_created_at ON jobs (created_at);
CREATE INDEX ix_jobs_status ON jobs (status);
COMMIT;
