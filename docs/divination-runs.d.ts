// Shapes of divination runs, made by `python -m tests.docs.renew` from the JSON Schemas.

/** What an assistant's message holds. No sign_level and empty lists unless status is success. */
export type AgentOutput = {
  "conclusion": string[];
  "focus_points": string[];
  "advice": string[];
  "keywords": string[];
  "answer": string;
  "sign_level"?: "上上签" | "中上签" | "中下签" | "下下签";
  "status": "success" | "declined" | "error" | "cancelled";
  "divination_derived": Divination;
  "divination_analysis": Analysis;
  "interpreter"?: "llm" | "rules";
  "language"?: string;
  "sentences"?: string[];
  "evidence"?: Evidence;
  "safety"?: Record<string, unknown>;
  "provenance"?: Record<string, unknown>;
  "grounding"?: Record<string, unknown>;
  "error"?: RunError;
};

/** An event of the agui profile. */
export type AguiEvent = RunStartedEvent | StepStartedEvent | StepFinishedEvent | TextMessageStartEvent | TextMessageContentEvent | RunErrorEvent | CustomEvent | StateSnapshotEvent | AguiTextMessageEndEvent | AguiRunFinishedEvent;

/** Success or cancellation; agui profile. */
export type AguiRunFinishedEvent = {
  "result"?: {
    "agent_output": AgentOutput;
  };
  "threadId": string;
  "runId": string;
  "outcome": {
    "type": "success" | "cancelled";
  };
  "usage"?: Usage[];
  "timestamp": number;
  "type": "RUN_FINISHED";
};

/** The whole output; agui profile. */
export type AguiTextMessageEndEvent = {
  "messageId": string;
  "timestamp": number;
  "type": "TEXT_MESSAGE_END";
  "metadata": {
    "agent_output": AgentOutput;
  };
};

/** What stands beside the divination object of a cast: marks, states of the lines, 用神, 应期 and sign, with the facts they rest on. Policies decide verdicts, never facts. */
export type Analysis = {
  "schemaVersion": string;
  "engineVersion": string;
  "policies": {
    "an_dong": "zs_strict" | "zs_practice" | "hjc_any";
    "yong_shen_absent": "month_day_changed_hidden" | "month_day_hidden" | "changed_hidden";
    "void_kind": "zz" | "raw";
    "san_he": "zs021";
    "timing": "zs032";
    "sign_rule": "sign_v1";
    "day_boundary": "23:00" | "00:00";
    "late_zi_hour_stem": "next_day" | "same_day";
    "future_utc": FutureUtc;
    "boundary_window_s": number;
    "time_basis": "civil";
    "year_boundary": "lichun";
  };
  "calendar": {
    "utc": Utc;
    "utcOffsetS": number;
    "dayBoundary": "23:00" | "00:00";
    "effectiveDate": Date;
    "prevJie": CastTerm;
    "nextJie": CastTerm;
    "futureUtc": FutureUtc;
    "tablesVersion": string;
  } | null;
  "palace": Trigram;
  "palaceElement": Element;
  "generation": Generation;
  "tags": HexagramTags;
  "targetPalace": Trigram;
  "targetGeneration": Generation;
  "targetTags": HexagramTags;
  "transition": "" | "六冲变六冲" | "六冲变六合" | "六合变六冲" | "六合变六合";
  "fanYinFuYin": {
    "inner": TrigramTurn;
    "outer": TrigramTurn;
  };
  "guaFanYin": boolean;
  "guaBian": "" | "回头生" | "回头克" | "化去" | "泄" | "比和";
  "guaShen": Branch;
  "guaShenLines": LinePositions;
  "shiShen": LinePosition;
  "movingPositions": LinePositions;
  "duFa": boolean;
  "duJing": boolean;
  "lines": AnalysisLine[];
  "hidden": AnalysisHiddenLine[];
  "sanHe": {
    "element": "水" | "金" | "火" | "木";
    "kind": "三爻动" | "两动一静" | "虚一待用" | "内卦初三爻动变" | "外卦四六爻动变";
    "branches": "申子辰" | "巳酉丑" | "寅午戌" | "亥卯未";
    "missing"?: Branch;
    "filledBy"?: ("月建" | "日辰")[];
    "waits": {
      "branch": Branch;
      "why": "空" | "破" | "墓";
    }[];
  }[];
  "xing": ("寅巳申" | "丑戌未" | "子卯" | "辰辰" | "午午" | "酉酉" | "亥亥")[];
  "stars": {
    "name": "贵人" | "禄" | "驿马" | "天喜";
    "branches": Branch[];
    "positions": LinePositions;
  }[];
  "yongShen": {
    "questionType": string | null;
    "fromQuestion"?: true;
    "alsoAsked"?: string[];
    "targets": ("父母" | "兄弟" | "子孙" | "妻财" | "官鬼" | "世" | "应")[];
    "candidates": {
      "target": "父母" | "兄弟" | "子孙" | "妻财" | "官鬼" | "世" | "应";
      "rank": number;
      "source": "line" | "month" | "day" | "changed" | "hidden";
      "position"?: LinePosition;
      "ganZhi": Pillar | Branch;
      "reasons": string[];
    }[];
    "roles": {
      "原神": LineRole;
      "忌神": LineRole;
      "仇神": LineRole;
    } | Record<string, unknown>;
    "undecided": boolean;
  };
  "horizon": {
    "name": "near" | "middle" | "far";
    "days": number;
    "months": number;
    "years": number;
  };
  "timing": {
    "trigger": "静值" | "静冲" | "动值" | "动合" | "太旺逢墓冲" | "衰绝逢生旺" | "入墓冲开" | "合住冲开" | "月破填合" | "旬空填冲" | "受克待制" | "进神" | "退神" | "独发" | "独静" | "世空元动" | "世衰元静";
    "branches": Branch[];
    "units": [["日", "时"], ["月", "年"]];
    "reason": string;
    "source": string;
    "subject": Pillar | Branch;
    "dates": CastDate[];
  }[];
  "sign": {
    "level": "上上签" | "中上签" | "中下签" | "下下签";
    "score": number;
    "side": "for" | "against";
    "contributions": {
      "rule": string;
      "points": number;
      "side": GroundSide;
      "relation": "ground" | "counter-ground" | "neither";
      "evidence": CastFactId[];
    }[];
    "note": string;
  } | null;
  "facts"?: Record<string, CastFact>;
  "cast": CastRecord | null;
  "warnings": CastWarning[];
};

/** Not sent while the hub has no upload. */
export type Attachment = {
  "mimeType": string;
  "url": string;
};

/** What the client's clock says; never used to derive. */
export type ClientTime = {
  "device_timezone": string;
  "client_now_iso": string;
  "client_epoch_ms": number;
};

/** The cast; agui profile only. */
export type CustomEvent = {
  "timestamp": number;
  "type": "CUSTOM";
  "name": "DIVINATION_DERIVED";
  "value": {
    "divination": Divination;
    "analysis": Analysis;
  };
};

/** One thing wrong, at a JSON pointer. */
export type Defect = {
  "pointer": string;
  "code": string;
  "message": string;
};

/** POST /api/v1/divination/derive */
export type Derived = {
  "divination": Divination;
  "analysis": Analysis;
};

/** The strict object of a cast: exactly these keys, nothing is ever added. Whatever else is known stands in the analysis beside it. */
export type Divination = {
  "question": string;
  "questionType": string;
  "divinationMethod": "手动起卦" | "自动起卦";
  "divinationTime": string;
  "binaryCode": HexagramBits;
  "changedBinaryCode": HexagramBits;
  "guaName": HexagramName;
  "upperName": Trigram;
  "lowerName": Trigram;
  "targetGuaName": HexagramName;
  "worldPosition": LinePosition;
  "responsePosition": LinePosition;
  "hasChangingYao": boolean;
  "ganzhi": {
    "yearGanZhi": Pillar;
    "monthGanZhi": Pillar;
    "dayGanZhi": Pillar;
    "timeGanZhi": Pillar;
    "yearKongWang": VoidPair;
    "monthKongWang": VoidPair;
    "dayKongWang": VoidPair;
    "timeKongWang": VoidPair;
    "yueJian": BranchWithElement;
    "riChen": BranchWithElement;
    "yuePo": BranchWithElement;
    "riChong": BranchWithElement;
  };
  "wuXingStatuses": {
    "木": SeasonState;
    "火": SeasonState;
    "土": SeasonState;
    "金": SeasonState;
    "水": SeasonState;
  };
  "yaoInfoList": DivinationLine[];
  "targetYaoInfoList": DivinationLine[];
  "fushenPositions": LinePositions;
  "fushenInfoList": DivinationHiddenLine[];
};

/** The cast; seed profile only. */
export type DivinationDerivedEvent = {
  "divination": Divination;
  "analysis": Analysis;
  "timestamp": number;
  "type": "DIVINATION_DERIVED";
};

/** What a divination is derived from: six lines, the time with its offset, the question and its kind. */
export type DivinationPayload = {
  "divinationMethod": "手动起卦" | "自动起卦";
  "questionType": string;
  "question": string;
  "divinationTimeIso": string;
  "yaoLines": SixLineNames;
};

/** The ids of the facts from which each item follows, item by item. */
export type Evidence = {
  "conclusion": string[][];
  "focus_points": string[][];
  "advice": string[][];
  "answer": string[][];
};

/** What this protocol adds to AG-UI. */
export type ForwardedProps = {
  "runtime_mode"?: "chat";
  "client_time"?: ClientTime;
  "ai_language"?: string;
  "divinationPayload"?: DivinationPayload;
};

/** GET /api/v1/agent/history */
export type History = {
  "scope": "history_day";
  "threadId": string | null;
  "day": string | null;
  "hasMore": boolean;
  "messages": HistoryMessage[];
};

/** A line of the history. */
export type HistoryMessage = {
  "id": string;
  "seq": number;
  "role": "user" | "assistant";
  "content": string;
  "timestamp": string;
  "threadId": string;
  "runId": string;
  "agent_output"?: AgentOutput;
  "attachments"?: Attachment[];
};

/** GET /api/v1/divination/price */
export type Price = {
  "tool_name": "divination_run";
  "credit_cost": number;
  "min_balance": number;
  "enabled": boolean;
  "balance": number;
  "held": number;
  "available": number;
};

/** Every error: RFC 9457, application/problem+json. */
export type Problem = {
  "type": string;
  "title": string;
  "status": number;
  "detail": string;
  "instance": string;
  "code": "PARSE_ERROR" | "INVALID_BODY" | "INVALID_EVENT_ID" | "INVALID_PROFILE" | "UNAUTHORIZED" | "INSUFFICIENT_CREDITS" | "TOOL_DISABLED" | "THREAD_NOT_FOUND" | "RUN_NOT_FOUND" | "PROBLEM_NOT_FOUND" | "METHOD_NOT_ALLOWED" | "REQUEST_TIMEOUT" | "RUN_CONFLICT" | "THREAD_BUSY" | "THREAD_HAS_DERIVATION" | "RUN_FINISHED_ALREADY" | "EVENTS_EXPIRED" | "INVALID_PAYLOAD" | "YAO_LINES_LENGTH" | "YAO_LINE_VALUE" | "TIME_NEEDS_OFFSET" | "TIME_OUT_OF_RANGE" | "EXTRA_FIELD_FORBIDDEN" | "INVALID_RUNTIME_MODE" | "DERIVATION_REQUIRED" | "INVALID_DAY" | "INVALID_TIMEZONE" | "RATE_LIMITED" | "AUTH_BACKEND_ERROR" | "CONFIG_ERROR" | "INTERNAL_ERROR" | "UPSTREAM_ERROR";
  "params"?: {
    "errors"?: Defect[];
  };
};

/** 202 for a run that begins, 200 for one that was submitted before. */
export type RunAccepted = {
  "threadId": string;
  "runId": string;
  "status": "accepted" | "running" | "succeeded" | "failed" | "cancelled";
  "attempt": number;
  "eventsUrl": string;
  "credits_held": number;
};

/** The body of POST /api/v1/agent/runs and /api/v1/agent/agui. */
export type RunAgentInput = {
  "threadId": string;
  "runId": string;
  "state": Record<string, unknown>;
  "messages": UserMessage[];
  "tools": unknown[];
  "context": unknown[];
  "forwardedProps"?: ForwardedProps;
  "protocolVersion"?: unknown;
  "parentRunId"?: unknown;
  "resume"?: unknown;
};

/** DELETE /api/v1/agent/runs/{threadId} */
export type RunCancelled = {
  "threadId": string;
  "runId": string;
  "status": "cancelled";
};

/** How a run failed. */
export type RunError = {
  "code": string;
  "message": string;
};

/** The attempt failed. */
export type RunErrorEvent = {
  "timestamp": number;
  "type": "RUN_ERROR";
  "message": string;
  "code": "CONFIG_ERROR" | "INTERNAL_ERROR" | "UPSTREAM_ERROR" | "UPSTREAM_TIMEOUT" | "REST_ERROR" | "RUN_INTERRUPTED";
};

/** First of an attempt. */
export type RunStartedEvent = {
  "threadId": string;
  "runId": string;
  "timestamp": number;
  "type": "RUN_STARTED";
  "protocolVersion": "1.0";
};

/** GET /api/v1/agent/runs/{threadId} */
export type RunStatus = {
  "threadId": string;
  "runId": string;
  "status": "running" | "succeeded" | "failed" | "cancelled";
  "attempt": number;
  "createdAt": string;
  "finishedAt": string | null;
  "credits_deducted": number;
  "lastSeq": number;
  "error": RunError | null;
};

/** An event of the seed profile. */
export type SeedEvent = RunStartedEvent | StepStartedEvent | StepFinishedEvent | TextMessageStartEvent | TextMessageContentEvent | RunErrorEvent | DivinationDerivedEvent | SeedTextMessageEndEvent | SeedRunFinishedEvent;

/** Success or cancellation; seed profile. */
export type SeedRunFinishedEvent = {
  "threadId": string;
  "runId": string;
  "outcome": {
    "type": "success" | "cancelled";
  };
  "usage"?: Usage[];
  "timestamp": number;
  "type": "RUN_FINISHED";
};

/** The six fields; seed profile. */
export type SeedTextMessageEndEvent = {
  "conclusion": string[];
  "focus_points": string[];
  "advice": string[];
  "keywords": string[];
  "answer": string;
  "sign_level"?: "上上签" | "中上签" | "中下签" | "下下签";
  "messageId": string;
  "timestamp": number;
  "type": "TEXT_MESSAGE_END";
};

/** The client's state with the cast; agui profile only. */
export type StateSnapshotEvent = {
  "timestamp": number;
  "type": "STATE_SNAPSHOT";
  "snapshot": {
    "divination": Divination;
    "analysis": Analysis;
  };
};

/** derive or interpret is over. */
export type StepFinishedEvent = {
  "timestamp": number;
  "type": "STEP_FINISHED";
  "stepName": string;
};

/** derive or interpret begins. */
export type StepStartedEvent = {
  "timestamp": number;
  "type": "STEP_STARTED";
  "stepName": string;
};

/** A piece of the answer; together they are it. */
export type TextMessageContentEvent = {
  "messageId": string;
  "timestamp": number;
  "type": "TEXT_MESSAGE_CONTENT";
  "delta": string;
};

/** The answer begins. */
export type TextMessageStartEvent = {
  "messageId": string;
  "timestamp": number;
  "type": "TEXT_MESSAGE_START";
  "role": "assistant";
};

/** Tokens of a model, where its port tells them. */
export type Usage = {
  "provider": string;
  "model": string;
  "inputTokens": number;
  "outputTokens": number;
  "totalTokens": number;
};

/** A message; those of other roles are passed over. */
export type UserMessage = {
  "id": string;
  "role": string;
  "content"?: unknown;
};

/** A hidden line with its state. */
export type AnalysisHiddenLine = {
  "branch": Branch;
  "element": Element;
  "monthState": SeasonState;
  "month": MonthBearing;
  "day": DayBearing;
  "xunKong": boolean;
  "yuePo": boolean;
  "riChong": boolean;
  "dayStage": DayStage;
  "position": LinePosition;
  "relation": LineRelative;
  "ganZhi": Pillar;
  "flying": Pillar;
  "flyingRelation": FlyingRelation;
};

/** A line of the primary with its state and the verdicts on it. */
export type AnalysisLine = {
  "branch": Branch;
  "element": Element;
  "monthState": SeasonState;
  "month": MonthBearing;
  "day": DayBearing;
  "xunKong": boolean;
  "yuePo": boolean;
  "riChong": boolean;
  "dayStage": DayStage;
  "position": LinePosition;
  "ganZhi": Pillar;
  "mark": LineMark;
  "relation": LineRelative;
  "spirit": Spirit;
  "moving": boolean;
  "anDong": boolean;
  "riPo": boolean;
  "residual": boolean;
  "voidKind": "真" | "假" | "";
  "target"?: ChangedLine;
};

/** An edge so near that the other side should be looked at. */
export type Boundary = {
  "kind": "jie" | "hour" | "day" | "year";
  "at": string;
  "distance_s": number;
  "window_s": number;
  "alternative_pillars": FourPillars;
};

/** Earthly branch 地支. */
export type Branch = "子" | "丑" | "寅" | "卯" | "辰" | "巳" | "午" | "未" | "申" | "酉" | "戌" | "亥";

/** A branch with its element. */
export type BranchWithElement = "子水" | "丑土" | "寅木" | "卯木" | "辰土" | "巳火" | "午火" | "未土" | "申金" | "酉金" | "戌土" | "亥水";

/** A day, month or year in which a branch answers. */
export type CastDate = {
  "unit": "日" | "月" | "年";
  "branch": Branch;
  "ganZhi": Pillar;
  "date": Date;
  "begins": CastInstant;
  "ends": CastInstant;
  "term"?: string;
};

/** One derived statement with its rule and what it rests on. */
export type CastFact = {
  "id": CastFactId;
  "kind": "pillar" | "calendar" | "hexagram" | "line" | "line_state" | "change" | "hidden" | "trine" | "star" | "yongshen" | "role" | "timing" | "date" | "sign";
  "subject": string;
  "predicate": string;
  "value": (string | number) | Branch[] | CastInstant[];
  "position"?: string;
  "derives_from": CastFactId[];
  "rule": string;
  "source": "ZS" | "project" | "";
  "text_zh": string;
};

/** Evidence id, stable across runs and releases. */
export type CastFactId = string;

/** An instant on the clock of the cast, with its offset. */
export type CastInstant = string;

/** How six lines came about, complete enough for anyone to recompute them. The method decides which members there are. */
export type CastRecord = {
  "method": "lines";
  "algorithmVersion": 1;
  "lines": SixLineNames;
  "values": LineValues;
} | {
  "method": "coins";
  "algorithmVersion": 1;
  "lines": SixLineNames;
  "values": LineValues;
  "faces": CoinFaces;
  "yangFace": YangFace;
} | {
  "method": "yarrow";
  "algorithmVersion": 1;
  "lines": SixLineNames;
  "values": LineValues;
  "heaps": LeftHeaps;
} | {
  "method": "time";
  "algorithmVersion": 1;
  "lines": SixLineNames;
  "values": LineValues;
  "inputs": {
    "yearBranch": Branch;
    "lunarMonth": number;
    "lunarDay": number;
    "hourBranch": Branch;
  };
  "castAt"?: string;
} | {
  "method": "numbers";
  "algorithmVersion": 1;
  "lines": SixLineNames;
  "values": LineValues;
  "inputs": {
    "upper": number;
    "lower": number;
    "moving"?: number;
    "hourBranch"?: Branch;
  };
} | {
  "method": "auto";
  "algorithmVersion": 1;
  "lines": SixLineNames;
  "values": LineValues;
  "faces": CoinFaces;
  "yangFace": "bei";
  "inputs": {
    "method": "coins";
  };
  "seedCommit": SeedCommit;
  "serverSeed": Sha256;
  "clientSeed": ClientSeed;
} | {
  "method": "auto";
  "algorithmVersion": 1;
  "lines": SixLineNames;
  "values": LineValues;
  "heaps": LeftHeaps;
  "inputs": {
    "method": "yarrow";
  };
  "seedCommit": SeedCommit;
  "serverSeed": Sha256;
  "clientSeed": ClientSeed;
};

/** A 节 beside the time of a cast. */
export type CastTerm = {
  "name": Jie;
  "utc": Utc;
  "distanceS": number;
};

/** A doubt; it never changes a value. */
export type CastWarning = {
  "code": "NEAR_BOUNDARY";
  "message": string;
  "data": Boundary;
} | {
  "code": "FUTURE_UTC_POLICY";
  "message": string;
  "data": {
    "policy": FutureUtc;
    "difference_s": number;
  };
} | {
  "code": "QUESTION_TYPE_UNKNOWN" | "ASKER_UNKNOWN";
  "message": string;
  "data": {
    "questionType": string;
  };
};

/** What a moving line turns into. */
export type ChangedLine = {
  "branch": Branch;
  "element": Element;
  "monthState": SeasonState;
  "month": MonthBearing;
  "day": DayBearing;
  "xunKong": boolean;
  "yuePo": boolean;
  "riChong": boolean;
  "dayStage": DayStage;
  "ganZhi": Pillar;
  "relation": LineRelative;
  "changes": ("伏吟" | "进神" | "退神" | "回头冲" | "化合" | "回头生" | "回头克" | "化泄" | "化耗" | "化比" | "化空" | "化破" | "化长生" | "化帝旺" | "化墓" | "化绝")[];
};

/** Text of 1 to 128 bytes in UTF-8. */
export type ClientSeed = string;

/** Six times three coins, 1 for 背. */
export type CoinFaces = ((0 | 1)[])[];

/** Date of the proleptic Gregorian calendar. */
export type Date = string;

/** What the day is to a branch: 临 alone; else 冲 or 合 where they hold, and one of 扶 生 克 泄 耗. */
export type DayBearing = ("临" | "冲" | "合" | "扶" | "生" | "克" | "泄" | "耗")[];

/** Stage of the element at the branch of the day, of four that are used; else empty. */
export type DayStage = "长生" | "帝旺" | "墓" | "绝" | "";

/** A relative that no line of the primary is, where the head of the palace has it. */
export type DivinationHiddenLine = {
  "position": LinePosition;
  "relationName": LineRelative;
  "tiganName": Branch;
  "elementName": Element;
};

/** A line of the primary or of the target. */
export type DivinationLine = {
  "position": LinePosition;
  "spiritName": "龙" | "雀" | "陈" | "蛇" | "虎" | "武";
  "relationName": LineRelative;
  "tiganName": Branch;
  "elementName": Element;
  "isYang": boolean;
  "isChanging": boolean;
  "specialMark": LineMark;
};

/** Element 五行. */
export type Element = "木" | "火" | "土" | "金" | "水";

/** What the visible line is to the hidden one. */
export type FlyingRelation = "比和" | "飞生伏" | "飞克伏" | "伏生飞" | "伏克飞";

/** Four pillars; the hour is null when it is unknown. */
export type FourPillars = {
  "year": Pillar;
  "month": Pillar;
  "day": Pillar;
  "hour": Pillar | null;
};

/** Policy for UTC after the leap-second list. */
export type FutureUtc = "utc_frozen" | "ut1_model";

/** Place of a hexagram in its palace. */
export type Generation = "本宫" | "一世" | "二世" | "三世" | "四世" | "五世" | "游魂" | "归魂";

/** Seen from the question. */
export type GroundSide = "for" | "against" | "neither";

/** Six lines from 初爻 to 上爻, 1 for yang. */
export type HexagramBits = string;

/** Full name of one of the sixty-four hexagrams. */
export type HexagramName = "乾为天" | "坤为地" | "水雷屯" | "山水蒙" | "水天需" | "天水讼" | "地水师" | "水地比" | "风天小畜" | "天泽履" | "地天泰" | "天地否" | "天火同人" | "火天大有" | "地山谦" | "雷地豫" | "泽雷随" | "山风蛊" | "地泽临" | "风地观" | "火雷噬嗑" | "山火贲" | "山地剥" | "地雷复" | "天雷无妄" | "山天大畜" | "山雷颐" | "泽风大过" | "坎为水" | "离为火" | "泽山咸" | "雷风恒" | "天山遁" | "雷天大壮" | "火地晋" | "地火明夷" | "风火家人" | "火泽睽" | "水山蹇" | "雷水解" | "山泽损" | "风雷益" | "泽天夬" | "天风姤" | "泽地萃" | "地风升" | "泽水困" | "水风井" | "泽火革" | "火风鼎" | "震为雷" | "艮为山" | "风山渐" | "雷泽归妹" | "雷火丰" | "火山旅" | "巽为风" | "兑为泽" | "风水涣" | "水泽节" | "风泽中孚" | "雷山小过" | "水火既济" | "火水未济";

/** Marks of a hexagram in the order 六冲 六合 游魂 归魂. */
export type HexagramTags = ("六冲" | "六合" | "游魂" | "归魂")[];

/** 节: a solar term that opens a month. */
export type Jie = "立春" | "惊蛰" | "清明" | "立夏" | "芒种" | "小暑" | "立秋" | "白露" | "寒露" | "立冬" | "大雪" | "小寒";

/** Six times three left heaps. */
export type LeftHeaps = number[][];

/** 世, 应 or empty; nothing else is ever marked here. */
export type LineMark = "世" | "应" | "";

/** A line as it was cast: 老 moves, 少 does not. */
export type LineName = "少阳" | "少阴" | "老阳" | "老阴";

/** 1 初爻 (bottom) to 6 上爻. */
export type LinePosition = number;

/** Positions of lines, ascending. */
export type LinePositions = LinePosition[];

/** 六亲 in the palace of the primary hexagram. */
export type LineRelative = "父母" | "兄弟" | "子孙" | "妻财" | "官鬼";

/** An element that helps or harms the 用神, and the lines that have it. */
export type LineRole = {
  "element": Element;
  "lines": {
    "position": LinePosition;
    "moving": boolean;
  }[];
};

/** Six lines by number, 初爻 first: 6 老阴, 7 少阳, 8 少阴, 9 老阳. */
export type LineValues = (6 | 7 | 8 | 9)[];

/** What the month is to a branch: 临 alone; else 破 or 合 where they hold, and one of 扶 生 克 泄 耗. */
export type MonthBearing = ("临" | "破" | "合" | "扶" | "生" | "克" | "泄" | "耗")[];

/** One of the sixty pillars 六十甲子: a stem and a branch of the same polarity. */
export type Pillar = "甲子" | "乙丑" | "丙寅" | "丁卯" | "戊辰" | "己巳" | "庚午" | "辛未" | "壬申" | "癸酉" | "甲戌" | "乙亥" | "丙子" | "丁丑" | "戊寅" | "己卯" | "庚辰" | "辛巳" | "壬午" | "癸未" | "甲申" | "乙酉" | "丙戌" | "丁亥" | "戊子" | "己丑" | "庚寅" | "辛卯" | "壬辰" | "癸巳" | "甲午" | "乙未" | "丙申" | "丁酉" | "戊戌" | "己亥" | "庚子" | "辛丑" | "壬寅" | "癸卯" | "甲辰" | "乙巳" | "丙午" | "丁未" | "戊申" | "己酉" | "庚戌" | "辛亥" | "壬子" | "癸丑" | "甲寅" | "乙卯" | "丙辰" | "丁巳" | "戊午" | "己未" | "庚申" | "辛酉" | "壬戌" | "癸亥";

/** 旺相休囚死. */
export type SeasonState = "旺" | "相" | "休" | "囚" | "死";

/** sha256 of a server seed. */
export type SeedCommit = string;

/** sha256 of canonical JSON (NFC, keys sorted, no white space), lower hex. */
export type Sha256 = string;

/** Six lines by name, 初爻 (bottom) first. */
export type SixLineNames = LineName[];

/** 六神 in full. */
export type Spirit = "青龙" | "朱雀" | "勾陈" | "螣蛇" | "白虎" | "玄武";

/** One of the eight trigrams 八卦. */
export type Trigram = "乾" | "兑" | "离" | "震" | "巽" | "坎" | "艮" | "坤";

/** 反吟 (坤 ↔ 巽), 伏吟 (乾 ↔ 震), or null. */
export type TrigramTurn = "反吟" | "伏吟" | null;

/** Instant in UTC to the millisecond, truncated; UT1 before 1972. */
export type Utc = string;

/** 旬空: two branches as one text. */
export type VoidPair = "戌亥" | "申酉" | "午未" | "辰巳" | "寅卯" | "子丑";

/** bei: 背 counts three, 字 two. zi: the reverse. */
export type YangFace = "bei" | "zi";
