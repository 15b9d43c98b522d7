package analyst_test

import "testing"

// promises are what each query's text says, held against the sample world.
var promises = map[string]struct {
	columns string
	holds   func(*testing.T, answer)
}{
	"01_who_knows_this": {"memory who kind how told_by since messages memory_id", all(
		has(
			row{"memory": "婚礼在Porto办", "who": "小满", "kind": "persona", "how": "present", "told_by": "Maya", "since": "2026-05-09 21:24", "messages": "1203"},
			row{"memory": "婚礼在Porto办", "who": "Maya", "how": "said", "told_by": ""},
		),
		lacks(row{"memory": "the wedding has moved"}), // the word is not in it
	)},
	"02_who_told_it": {"told_by told since how message words memory holds", all(
		first(row{"told_by": "舟舟", "told": "墨鱼", "since": "2026-03-24 15:42", "how": "told", "message": "503", "words": "绝对绝对不能让小满知道", "holds": "false"}),
		has(row{"told_by": "", "how": "said", "message": "504"}),
	)},
	"03_what_a_told_b": {"since teller hearer how memory holds session message words", all(
		has(
			row{"memory": "租金涨5%", "teller": "舟舟", "hearer": "墨鱼", "how": "told", "holds": "true", "session": "11-one-character-apart", "message": "1105"},
			row{"memory": "惊喜生日会，绝对不能让小满知道", "holds": "false", "session": "05-captains-orders"},
		),
		lacks(row{"teller": "Maya"}, row{"how": "said"}),
	)},
	"04_known_to_one_only": {"knows does_not memory told_by since others tags memory_id", all(
		has(
			row{"knows": "墨鱼", "does_not": "小满", "memory": "李明喜欢李明华", "told_by": "舟舟", "others": ""},
			row{"memory": "在群里宣布从青屿科技离职", "others": "Lumen"},
		),
		lacks(row{"memory": "婚礼在Porto办"}),
	)},
	"05_secrets_per_persona": {"persona knows alone secrets newest", all(
		count(3),
		has(
			row{"persona": "小满", "secrets": "4", "newest": "攒去青岛交换的学费"},
			row{"persona": "墨鱼", "secrets": "3", "newest": "租金涨5%"},
			row{"persona": "Lumen", "secrets": "2", "newest": "Marelle"},
		),
	)},
	"06_secrets_of_one": {"persona secret how since also_known_to session message speaker words", all(
		count(4),
		has(row{"persona": "小满", "secret": "林栀想去青岛交换一年", "how": "told", "also_known_to": "阿岩", "session": "14-washers-and-savings", "message": "1406", "speaker": "阿岩", "words": "先别告诉她"}),
	)},
	"07_out_of_date_beliefs": {"persona believes holds wrong_since who_knows_better", all(
		has(
			row{"persona": "小满", "believes": "婚礼定在2026年9月12日", "holds": "19 September 2026", "who_knows_better": "Lumen", "wrong_since": "2026-06-01 20:33"},
			row{"persona": "小满", "believes": "潮汐咖啡周一店休", "holds": "周二", "who_knows_better": "墨鱼"},
		),
		lacks(row{"persona": "Lumen", "believes": "2026年9月12日"}),
	)},
	"08_changed_this_week": {"date session change subject relation object memory instead_of diff memory_id", all(
		has(
			row{"session": "14-washers-and-savings", "date": "2026-06-05 23:25", "change": "added", "subject": "阿岩", "relation": "work_as", "object": "组长", "instead_of": "嵌入式开发"},
			row{"session": "14-washers-and-savings", "change": "retired", "memory": "阿岩做嵌入式开发"},
			row{"session": "13-our-wall-in-alfama", "change": "added", "subject": "Maya", "relation": "live_in", "object": "Lisbon"},
		),
		lacks(row{"session": "12-group-three-announcements"}),
	)},
	"09_one_diff": {"date asked_by present status change subject relation object memory holds diff memory_id", all(
		has(
			row{"date": "2026-04-09 20:41", "asked_by": "demo", "present": "Lumen, 墨鱼", "status": "applied", "change": "added", "subject": "阿岩", "relation": "work_at", "object": "北辰机器人"},
			row{"change": "retired", "subject": "阿岩", "object": "青屿科技", "holds": "false"},
			row{"change": "updated"},
		),
		lacks(row{"subject": "Theo", "object": "Lisbon"}),
	)},
	"10_values_over_time": {"subject relation value from_date until_date ended_by session message speaker words memory diff", all(
		count(2),
		first(row{"value": "北辰机器人", "from_date": "2026-04-09 20:41", "until_date": "", "session": "08-group-the-announcement", "message": "801", "speaker": "阿岩", "words": "我从青屿离职了"}),
		has(row{"value": "青屿科技", "from_date": "2026-03-03 20:26", "until_date": "2026-04-09 20:41", "ended_by": "replace", "message": "103"}),
	)},
	"11_history_of_memory": {"memory version value text from_date until_date session messages known_by diff memory_id", all(
		count(3),
		first(row{"version": "0", "value": "每周日晚八点", "from_date": "2026-05-09 21:24", "until_date": "", "known_by": "Lumen, 墨鱼, 小满", "messages": "1209, 1225"}),
		has(
			row{"version": "1", "value": "每周六晚七点", "until_date": "2026-05-09 21:24", "known_by": "Lumen, 墨鱼"},
			row{"version": "2", "value": "每周五晚八点", "session": "03-group-salt-and-lantern", "known_by": "墨鱼, 小满"},
		),
	)},
	"12_history_picture": {"chain ledger evidence", shows(
		[]string{"桌游夜改到线上", "每周六晚上七点", "每周五晚上八点", "12-group-three-announcements", "817"},
		"SUPERSEDES", "ADDED", "RETIRED", "MEMORY_SOURCE")},
	"13_gone_for_good": {"gone_on how session subject relation object memory diff memory_id", all(
		has(row{"gone_on": "2026-06-01 20:33", "how": "remove", "session": "13-our-wall-in-alfama", "subject": "Maya", "relation": "plan", "object": "fly to Lisbon"}),
		lacks(row{"object": "青屿科技", "subject": "阿岩"}),
	)},
	"14_ledger": {"date session asked_by present status added updated retired cut_off usage diff", all(
		count(14),
		first(row{"session": "14-washers-and-savings", "asked_by": "demo", "present": "小满", "status": "applied", "added": "12", "retired": "5", "cut_off": "false"}),
	)},
	"15_world":  {"world", shows([]string{"阿岩", "北辰机器人", "Maya"}, "WORK_AT", "LIVE_IN")},
	"16_around": {"around", shows([]string{"阿岩", "北辰机器人", "螺丝", "林栀"}, "WORK_AT", "HAVE_PET", "SIBLING_OF")},
	"17_all_about": {"subject relation object memory date index0 index1 known_by messages memory_id", all(
		count(23),
		has(
			row{"subject": "Maya", "relation": "live_in", "object": "Lisbon", "date": "2026-06-01 20:33", "index0": "人物画像", "index1": "owner", "known_by": "Lumen", "messages": "1301, 1303"},
			row{"subject": "Brandt", "relation": "manager_of", "object": "Maya"},
		),
	)},
	"18_shortest_path": {"way step subject relation object memory date memory_id", all(
		count(2),
		has(
			row{"way": "1", "step": "1", "subject": "李明", "relation": "develop", "object": "河豚", "memory": "水下机器人河豚", "date": "2026-05-09 21:24"},
			row{"way": "1", "step": "2", "subject": "河豚", "relation": "use", "object": "C++", "memory": "河豚用C++写。"},
		),
	)},
	"19_path_picture": {"way subject object evidence", shows(
		[]string{"李明", "河豚", "C++", "河豚用C++写", "1213"}, "DEVELOP", "USE", "MEMORY_SUBJECT", "MEMORY_OBJECT", "MEMORY_SOURCE")},
	"20_session_timeline": {"message date speaker words holds retired", all(
		count(23),
		first(row{"message": "501", "date": "2026-03-24 15:20", "speaker": "舟舟", "holds": "舟舟的大名是许舟"}),
		has(row{"message": "503", "retired": "绝对不能让小满知道"}),
	)},
	"21_memory_picture": {"whole", shows(
		[]string{"接任组长", "阿岩", "组长", "小满", "1401", "14-washers-and-savings", "嵌入式开发"},
		"MEMORY_SUBJECT", "MEMORY_OBJECT", "MEMORY_SOURCE", "AWARE_OF", "ADDED", "SUPERSEDES")},
	"22_relations_by_use": {"relation meaning uses retired last_written status functional symmetric inverse", all(
		count(41),
		first(row{"relation": "experience", "uses": "18"}),
		has(
			row{"relation": "partner_of", "uses": "0", "retired": "1", "last_written": "", "meaning": "恋人"},
			row{"relation": "work_at", "last_written": "2026-06-01 20:33", "status": "active"},
		),
	)},
	"23_several_values": {"subject relation count values memories", all(
		has(
			row{"subject": "Kelpline", "relation": "use", "count": "2", "values": "C++, Rust"},
			row{"subject": "阿岩", "relation": "have_pet", "count": "2", "values": "垫片, 螺丝"},
		),
		lacks(row{"subject": "阿岩", "relation": "work_at"}),
	)},
	"24_lookalikes": {"one other said ways_in_common memories_of_one memories_of_other", all(
		first(row{"one": "李明", "other": "李明華", "said": "differ_from, have_crush_on"}),
		has(row{"one": "沙坡尾", "other": "沙坡尾铺子", "said": ""}),
		lacks(row{"one": "阿岩", "other": "林岩"}),
	)},
	"25_aliases": {"entity alias by memory", has(
		row{"entity": "Kelpline", "alias": "Tidepool", "by": "claimed", "memory": "old name of Kelpline"},
		row{"entity": "小满", "alias": "Xiaoman", "by": "declared", "memory": ""},
	)},
	"26_categories": {"index0 index1 memories relations", all(
		has(row{"index0": "百科知识", "index1": "理工", "relations": "alias_of 1, develop 3, has_property 3, sold_to 1, use 7"}),
		total("memories", 133),
	)},
	"27_hubs": {"entity kind memories as_subject as_object", all(
		count(25),
		first(row{"entity": "阿岩", "kind": "person", "memories": "28", "as_subject": "26", "as_object": "7"}),
	)},
}

// total wants a column to add up to n.
func total(column string, n int64) func(*testing.T, answer) {
	return func(t *testing.T, a answer) {
		t.Helper()
		var sum int64
		for _, r := range a.rows {
			v, ok := r[column].(int64)
			if !ok {
				t.Fatalf("%s is %T", column, r[column])
			}
			sum += v
		}
		if sum != n {
			t.Errorf("%s adds up to %d, want %d", column, sum, n)
		}
	}
}
